// What is damaged or unknown in the transcripts.

import { get } from "./api.js";
import { empty, entitle, failed, h, put, readdress } from "./dom.js";
import { base, count, number } from "./format.js";

const ROWS = 300;

export default async function findings(main) {
  entitle("Findings");
  const query = new URLSearchParams(location.search);
  const id = query.get("id") ?? "";
  const filters = { severity: query.get("severity") ?? "", harness: query.get("harness") ?? "", code: query.get("code") ?? "" };
  const told = h("p", { class: "count", "aria-live": "polite" });
  const select = (name, label, values) => h("select", {
    "aria-label": label,
    onchange: (event) => {
      filters[name] = event.target.value;
      const next = new URLSearchParams(Object.entries({ id, ...filters }).filter(([, value]) => value));
      readdress(next.size > 0 ? `/findings?${next}` : "/findings");
      draw();
    },
  }, h("option", { value: "" }, label), values.map((value) => h("option", { value, selected: filters[name] === value }, value)));
  const bar = h("div", { class: "bar" }, h("h1", {}, "Findings"), told);
  const list = h("section", { "aria-label": "Findings" });
  put(main, bar, h("p", { class: "lead" }, "What recount did not expect while it read: damaged lines, unknown records, numbers that do not fit. Findings never stop a read; each says where it is, byte by byte."), list);

  let rows = [];
  let total = 0;
  let partial = false;
  let shown = ROWS;
  let tries = 0;

  function draw() {
    const wanted = rows.filter((row) => Object.entries(filters).every(([name, value]) => !value || row[name] === value));
    put(told, h("b", {}, count(wanted.length, "finding")), total > rows.length && ` (the first of ${number(total)})`,
      partial && [" so far: not every session was read; ", h("code", {}, "recount check"), " reads them all"],
      id && [" in ", h("a", { href: `/s/${encodeURIComponent(id)}` }, `session ${id.slice(0, 8)}`), " · ", h("a", { href: "/findings" }, "those of all sessions")]);
    if (wanted.length === 0) {
      put(list, rows.length === 0
        ? empty(partial ? "Nothing was found so far." : "Nothing is damaged and nothing unknown.", partial ? [h("code", {}, "recount check"), " reads everything."] : "recount understood every record that it read.")
        : empty("No finding is like that.", "Choose another severity, harness or code above."));
      return;
    }
    put(list, h("div", { class: "wide" }, h("table", { class: "rows findings" },
      h("thead", {}, h("tr", {}, ["Severity", "What", "Where"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, wanted.slice(0, shown).map((row) => h("tr", {},
        h("td", {}, h("span", { class: `tag ${row.severity}` }, row.severity)),
        h("td", { class: "what" }, h("div", { dir: "auto" }, ticks(row.message)), h("code", {}, row.code)),
        h("td", { class: "where" },
          row.sessionId && h("a", { href: `/s/${encodeURIComponent(row.sessionId)}` }, `session ${row.sessionId.slice(0, 8)}`),
          h("div", { title: row.source }, place(row)), row.pointer && h("code", {}, row.pointer))))))),
    wanted.length > shown && h("p", { class: "more-rows" }, h("button", { type: "button", onclick: () => { shown += ROWS; draw(); } }, `Show ${Math.min(ROWS, wanted.length - shown)} more of ${number(wanted.length)}`)));
  }

  async function load() {
    if (tries === 0) put(told, "Reading …");
    try {
      ({ findings: rows, total, partial } = await get("findings", { id }));
      const values = (name) => [...new Set(rows.map((row) => row[name]))].toSorted();
      bar.querySelectorAll("select").forEach((node) => node.remove());
      told.before(select("severity", "Any severity", values("severity")), select("harness", "Any harness", values("harness")), select("code", "Any code", values("code")));
      draw();
      // What is still being read turns up by itself.
      if (partial && (tries += 1) <= 6) setTimeout(load, 1000 * 2 ** tries);
    } catch (error) {
      put(told);
      put(list, failed(error, load));
    }
  }
  await load();
}

const place = (row) => [base(row.source), row.line > 0 && `line ${number(row.line)}`, row.byte !== null && row.byte !== undefined && `byte ${number(row.byte)}`].filter(Boolean).join(", ");

/** Values in messages stand between backticks. */
const ticks = (message) => message.split("`").map((piece, n) => (n % 2 === 1 ? h("code", {}, piece) : piece));
