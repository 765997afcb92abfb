// The formats, from the catalogue.

import { get } from "./api.js";
import { debounce, empty, entitle, failed, h, html, put } from "./dom.js";
import { count } from "./format.js";

export default async function formats(main) {
  const [, , harness, ...rest] = location.pathname.split("/").map(decodeURIComponent);
  const type = rest.join("/");
  try {
    await (type ? one(main, harness, type) : all(main, harness));
  } catch (error) {
    put(main, failed(error));
  }
}

const address = (harness, type) => `/formats/${encodeURIComponent(harness)}/${encodeURIComponent(type)}`;

async function all(main, only) {
  const { harnesses } = await get("formats");
  const chosen = only ? harnesses.filter((one) => one.harness === only) : harnesses;
  entitle(only || "Formats");
  const field = h("input", { type: "search", placeholder: "Type, concept or words", "aria-label": "Filter the types of record", autocomplete: "off" });
  const told = h("p", { class: "count", "aria-live": "polite" });
  const list = h("div", { class: "formats" });
  put(main, h("div", { class: "bar" }, h("h1", {}, only ? `Format of ${only}` : "Formats"), field, told),
    h("p", { class: "lead" }, only && chosen[0]?.summary ? [ticks(chosen[0].summary), chosen[0].version && ` Described as of version ${chosen[0].version}.`] : "What harnesses write: every type of record, what it means, which fields it has and since when."), list);
  const draw = () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    put(list, chosen.map(({ harness, types }) => {
      const rows = types.filter((row) => !wanted || `${row.type} ${row.concept} ${row.summary}`.toLowerCase().includes(wanted));
      shown += rows.length;
      return rows.length > 0 && h("section", {},
        h("h2", {}, h("a", { href: `/formats/${encodeURIComponent(harness)}` }, harness), " ", h("small", {}, count(rows.length, "type"))),
        h("div", { class: "wide" }, h("table", { class: "rows" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Record"), h("th", { scope: "col" }, "Concept"), h("th", { scope: "col" }, "What it is"))),
          h("tbody", {}, rows.map((row) => h("tr", {},
            h("td", {}, h("a", { href: address(harness, row.type) }, h("code", {}, row.type))), h("td", { class: "concept" }, row.concept), h("td", {}, ticks(row.summary ?? ""))))))));
    }));
    put(told, h("b", {}, count(shown, "type")));
    if (shown === 0) put(list, empty(chosen.length === 0 ? `There is no harness “${only}”.` : "No type of record is like that.", h("a", { href: "/formats" }, "All formats")));
  };
  field.addEventListener("input", debounce(80, draw));
  draw();
}

async function one(main, harness, type) {
  const page = await get(`formats/${encodeURIComponent(harness)}/${encodeURIComponent(type)}`);
  entitle(type, harness);
  put(main,
    h("p", { class: "path" }, h("a", { href: "/formats" }, "Formats"), " / ", h("a", { href: `/formats/${encodeURIComponent(harness)}` }, harness)),
    h("h1", {}, h("code", {}, type), " ", h("small", {}, page.concept)),
    h("article", { class: "format md" }, html(page.html)));
}

const ticks = (text) => text.split("`").map((piece, n) => (n % 2 === 1 ? h("code", {}, piece) : piece));
