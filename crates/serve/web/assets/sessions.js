// The list of sessions: filters, search as you type, live updates.

import { address, get, listen } from "./api.js";
import { debounce, empty, entitle, failed, h, put, readdress, remember, say, snippet } from "./dom.js";
import { age, base, cost, count, moment, number, short, shortPaths, size, when } from "./format.js";
import { keys } from "./keys.js";

const PART = 100;
const FACETS = [["harness", "Harness", (value) => value], ["project", "Project", (value) => names.get(value) ?? base(value)], ["model", "Model", (value) => value]];
const SINCE = [["", "Any time"], ["24h", "Last 24 hours"], ["7d", "Last 7 days"], ["30d", "Last 30 days"], ["365d", "Last year"]];
const FACET_ROWS = 8;

const query = new URLSearchParams(location.search);
const filters = Object.fromEntries(["q", "harness", "project", "model", "since", "all"].map((name) => [name, query.get(name) ?? ""]));
let rows = [];
let total = 0;
let facets = {};
let names = new Map();
let snippets = new Map();
let hits = 0;
let isNear = false;
let wanted = history.state?.wanted ?? PART;
let open = new Set();
let asked = 0;
let isIndexing = false;
let later;

const isFiltered = () => Object.values(filters).some((value) => value !== "");

/** Which heading a session stands under. */
function group(row) {
  if (row.live) return "Running";
  const date = moment(row.updatedAt);
  if (!date) return "Without a time";
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - date) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Last seven days";
  return date.toLocaleDateString("en", { month: "long", year: "numeric" });
}

function line(row) {
  const found = snippets.get(row.id) ?? [];
  const marks = [
    row.isSubagent && h("span", { class: "tag" }, "sub-agent"),
    row.archived && h("span", { class: "tag" }, "archived"),
    row.forkedFromId && h("span", { class: "tag", title: `Forked from ${row.forkedFromId}` }, "fork"),
    row.findings > 0 && h("a", { class: "tag warn", href: `/findings?id=${encodeURIComponent(row.id)}` }, count(row.findings, "finding")),
  ];
  const facts = [row.cwd && `Folder: ${row.cwd}`, `Id: ${row.id}`, row.createdAt && `Begun: ${when(row.createdAt)}`, `Stored: ${size(row.size)}`];
  const first = h("tr", { "data-id": row.id },
    h("td", { class: "what" },
      h("a", { class: "title", href: `/s/${encodeURIComponent(row.id)}`, dir: "auto", title: facts.filter(Boolean).join("\n") },
        row.live && h("span", { class: "live", title: "Being written now" }, h("span", { class: "hidden" }, "live ")),
        row.title || "Without a title"),
      marks.some(Boolean) && [" ", marks]),
    h("td", { class: "project" }, names.get(row.cwd) ?? base(row.cwd)),
    h("td", { class: "harness" }, row.harness),
    h("td", { class: "model" }, row.model ?? ""),
    h("td", { class: "r prompts" }, number(row.humanPrompts)),
    h("td", { class: "r tokens" }, short(row.totalTokens)),
    h("td", { class: "r cost" }, cost(row.costUsd)),
    h("td", { class: "r age" }, h("time", { datetime: row.updatedAt, title: when(row.updatedAt) }, age(row.updatedAt))));
  return found.length === 0 ? [first] : [first, h("tr", { class: "hit-row", "data-of": row.id }, h("td", { colspan: 8 }, found.map((hit) =>
    h("a", { class: "hit", dir: "auto", href: address(hit) },
      h("span", { class: "role" }, hit.role), " ", snippet(hit.snippet)))))];
}

function table() {
  const bodies = [];
  let name = null;
  for (const row of rows) {
    const next = group(row);
    if (next !== name) {
      name = next;
      bodies.push(h("tbody", {}, h("tr", { class: "group" }, h("th", { colspan: 8, scope: "rowgroup" }, name))));
    }
    bodies.at(-1).append(...line(row));
  }
  return h("table", { class: "rows sessions" },
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, "Session"), h("th", { scope: "col", class: "project" }, "Project"), h("th", { scope: "col", class: "harness" }, "Harness"),
      h("th", { scope: "col", class: "model" }, "Model"), h("th", { scope: "col", class: "r prompts", title: "What a person typed" }, "Prompts"),
      h("th", { scope: "col", class: "r tokens" }, "Tokens"), h("th", { scope: "col", class: "r cost" }, "Cost"), h("th", { scope: "col", class: "r age" }, "Age"))),
    bodies);
}

export default async function sessions(main) {
  entitle("Sessions");
  const field = h("input", {
    type: "search", id: "filter", value: filters.q, placeholder: "Words in titles and in what was said", "aria-label": "Filter the sessions",
    autocomplete: "off", spellcheck: "false",
  });
  const since = h("select", { "aria-label": "Written to since" }, SINCE.map(([value, name]) => h("option", { value, selected: value === filters.since }, name)));
  const all = h("input", { type: "checkbox", checked: filters.all !== "" });
  const told = h("p", { class: "count", "aria-live": "polite" });
  const aside = h("aside", { class: "facets", "aria-label": "Filters" });
  const list = h("section", { class: "list", "aria-label": "Sessions" });
  const folded = h("details", { class: "facets-box" }, h("summary", {}, "Filters"), aside);
  folded.open = matchMedia("(min-width: 60rem)").matches;

  function draw() {
    put(told, h("b", {}, count(total, "session")), hits > 0 && [isNear ? " · nothing says just that · " : " · ", h("a", { href: `/search?q=${encodeURIComponent(filters.q)}` }, count(hits, "place"), isNear ? " with words like yours" : " in what was said")],
      isIndexing && h("span", { class: "busy" }, " · reading sessions for the first time …"));
    if (rows.length === 0) {
      put(list, isFiltered()
        ? isIndexing ? empty("Sessions are still being read.", "What is like that appears here by itself.") : empty("No session is like that.", "Take a filter away, or ", h("a", { href: "/" }, "show all"), ".")
        : empty("No sessions were found on this machine.",
          "recount looks where Codex, Claude Code, Cursor, OpenCode and pi keep theirs. Is yours elsewhere? Start ",
          h("code", {}, "recount --store HARNESS=PATH serve"), ", or look around in built-in ones with ", h("code", {}, "recount --sample serve"), "."));
      drawFacets();
      return;
    }
    const focused = document.activeElement?.closest?.("tr[data-id]")?.dataset.id;
    put(list, table(), rows.length < total && h("p", { class: "more-rows" }, h("button", { type: "button", onclick: more }, `Show ${Math.min(PART, total - rows.length)} more of ${number(total)}`)));
    if (focused) list.querySelector(`tr[data-id="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
    if (rows.length < total) watcher.observe(list.lastElementChild);
    drawFacets();
  }

  function drawFacets() {
    put(aside, FACETS.map(([key, title, shown]) => {
      const values = (facets[key] ?? []).filter((entry) => entry.value);
      if (filters[key] && !values.some((entry) => entry.value === filters[key])) values.unshift({ value: filters[key], count: 0 });
      if (values.length === 0) return null;
      const cut = open.has(key) ? values : values.slice(0, FACET_ROWS);
      return h("section", {}, h("h2", {}, title),
        h("ul", {}, cut.map(({ value, count: amount }) => h("li", {},
          h("button", { type: "button", "aria-pressed": String(filters[key] === value), title: value, "data-facet": key, "data-value": value, onclick: () => set(key, filters[key] === value ? "" : value) },
            h("span", { class: "name" }, shown(value) || value), h("span", { class: "n" }, number(amount)))))),
        cut.length < values.length && h("button", { type: "button", class: "quiet", onclick: () => { open.add(key); drawFacets(); } }, `${values.length - cut.length} more`));
    }));
  }

  /** As many as are wanted: a server gives a thousand at once. */
  async function part() {
    const answer = await get("sessions", { ...filters, limit: wanted });
    while (answer.sessions.length < Math.min(wanted, answer.total)) {
      const { sessions } = await get("sessions", { ...filters, offset: answer.sessions.length, limit: wanted - answer.sessions.length });
      if (sessions.length === 0) break;
      answer.sessions.push(...sessions);
    }
    return answer;
  }

  async function load() {
    const turn = ++asked;
    try {
      const [answer, found] = await Promise.all([
        part(),
        filters.q ? get("search", { q: filters.q, limit: 200 }).catch(() => null) : null,
      ]);
      if (turn !== asked) return;
      ({ sessions: rows, total, facets } = answer);
      names = shortPaths([...rows.map((row) => row.cwd), ...(facets.project ?? []).map((entry) => entry.value)]);
      isIndexing = answer.indexing || found?.indexing === true;
      clearTimeout(later);
      if (isIndexing) later = setTimeout(load, 2000);
      hits = found?.all ?? 0;
      isNear = found?.fuzzy === true;
      snippets = new Map();
      for (const hit of found?.hits ?? []) {
        const of = snippets.get(hit.id) ?? [];
        if (of.length < 2) snippets.set(hit.id, [...of, hit]);
      }
      draw();
    } catch (error) {
      if (turn === asked) put(list, failed(error, load));
    }
  }

  function set(name, value) {
    filters[name] = value;
    wanted = PART;
    const next = new URLSearchParams(Object.entries(filters).filter(([, given]) => given));
    readdress(next.size > 0 ? `/?${next}` : "/");
    load();
  }

  function more() {
    wanted += PART;
    remember({ wanted });
    load();
  }

  const watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      watcher.disconnect();
      more();
    }
  }, { rootMargin: "600px" });

  field.addEventListener("input", debounce(120, () => set("q", field.value.trim())));
  since.addEventListener("change", () => set("since", since.value));
  all.addEventListener("change", () => set("all", all.checked ? "1" : ""));

  put(main,
    h("div", { class: "bar" }, h("h1", {}, "Sessions"), field, since, h("label", {}, all, " with sub-agents and archived ones"), told),
    h("div", { class: "columns" }, folded, list));

  const links = () => [...list.querySelectorAll("a.title")];
  const step = (by) => () => {
    const of = links();
    const at = of.indexOf(document.activeElement?.closest("tr")?.querySelector("a.title"));
    const next = of[at < 0 ? (by > 0 ? 0 : of.length - 1) : Math.max(0, Math.min(of.length - 1, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  keys("Sessions", [
    ["j, ArrowDown", "next session", step(1)],
    ["k, ArrowUp", "previous session", step(-1)],
    ["Enter", "open it"],
    ["x", "take all filters away", () => { location.href = "/"; }],
  ]);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      step(1)();
    }
  });

  await load();
  const again = debounce(400, async () => {
    await load();
    say(count(total, "session"));
  });
  listen("events", { sessions: again }, again);
  // Ages grow without any event.
  setInterval(() => {
    for (const time of list.querySelectorAll("time")) time.textContent = age(time.getAttribute("datetime"));
  }, 30_000);
}
