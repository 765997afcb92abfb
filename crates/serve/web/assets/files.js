// Who touched this file: all files that sessions read or changed, and the history of one.

import { get } from "./api.js";
import { debounce, empty, entitle, failed, h, put } from "./dom.js";
import { age, count, number, when } from "./format.js";

const ROWS = 300;
const BUSY = " · sessions are still being read";

export default async function files(main) {
  const path = new URLSearchParams(location.search).get("path") ?? "";
  const field = h("input", { type: "search", name: "path", value: path, placeholder: "A path, or the last parts of it", "aria-label": "Path of a file", autocomplete: "off", spellcheck: "false" });
  const told = h("p", { class: "count", "aria-live": "polite" });
  const list = h("section", { "aria-label": "Files" });
  put(main, h("form", { class: "bar", action: "/files" }, h("h1", {}, "Files"), field, h("button", {}, "Show its history"), told), list);
  entitle(path || "Files");
  try {
    await (path ? one(path, told, list) : all(field, told, list));
  } catch (error) {
    put(list, failed(error, () => location.reload()));
  }
}

async function one(path, told, list) {
  const { sessions, indexing } = await get("files", { path });
  if (indexing) setTimeout(() => one(path, told, list).catch(() => {}), 2000);
  const ids = new Set(sessions.map((row) => row.id));
  put(told, h("b", {}, count(ids.size, "session")), " touched it · ", h("a", { href: "/files" }, "all files"), indexing && BUSY);
  if (sessions.length === 0) {
    put(list, empty(`No session touched “${path}”.`, "Give the last parts of the path, such as ", h("code", {}, "src/main.rs"), ", or ", h("a", { href: "/files" }, "choose among all files"), "."));
    return;
  }
  put(list, h("div", { class: "wide" }, h("table", { class: "rows" },
    h("thead", {}, h("tr", {}, ["Session written", "Did", "Session"].map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col", class: "extra" }, "Harness"), h("td", {}))),
    h("tbody", {}, sessions.map((row) => h("tr", {},
      h("td", {}, h("time", { datetime: row.time, title: age(row.time) }, when(row.time))),
      h("td", {}, h("span", { class: `tag ${row.action}` }, row.action)),
      h("td", { class: "what" }, h("a", { class: "title", dir: "auto", href: `/s/${encodeURIComponent(row.id)}` }, row.title || "Without a title")),
      h("td", { class: "extra" }, row.harness),
      h("td", {}, row.itemId && h("a", { href: `/s/${encodeURIComponent(row.id)}#item-${encodeURIComponent(row.itemId)}` }, "the place")),
    ))))));
}

async function all(field, told, list) {
  let { files: rows, indexing } = await get("files");
  const again = () => setTimeout(async () => {
    ({ files: rows, indexing } = await get("files").catch(() => ({ files: rows, indexing: false })));
    draw();
    if (indexing) again();
  }, 2000);
  if (indexing) again();
  const draw = () => {
    const wanted = field.value.trim().toLowerCase();
    const shown = wanted ? rows.filter((row) => row.path.toLowerCase().includes(wanted)) : rows;
    put(told, h("b", {}, count(shown.length, "file")), rows.length >= 500 && " (those touched most)", indexing && BUSY);
    if (rows.length === 0) {
      put(list, indexing
        ? empty("Sessions are being read for the first time.", "Their files appear here by themselves.")
        : empty("No session read or changed a file.", "Whatever a tool of an agent reads or writes is listed here."));
      return;
    }
    if (shown.length === 0) {
      put(list, empty("None of the files touched most is like that.", "Press Enter to look for it among all."));
      return;
    }
    put(list, h("div", { class: "wide" }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "File"), h("th", { scope: "col", class: "r extra" }, "Sessions"), h("th", { scope: "col", class: "r" }, "Changes"), h("th", { scope: "col", class: "r" }, "Last"))),
      h("tbody", {}, shown.slice(0, ROWS).map((row) => h("tr", {},
        h("td", { class: "what" }, h("a", { class: "file", href: `/files?path=${encodeURIComponent(row.path)}` }, row.path)),
        h("td", { class: "r extra" }, number(row.sessions)),
        h("td", { class: "r" }, number(row.changes)),
        h("td", { class: "r" }, h("time", { datetime: row.lastTime, title: when(row.lastTime) }, age(row.lastTime)))))))));
  };
  field.addEventListener("input", debounce(80, draw));
  draw();
}
