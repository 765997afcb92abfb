// Keys: one table that both acts and explains itself in the help.

import { h, put } from "./dom.js";

const tables = [];
let first = "";
let timer;

/** Adds keys of a topic: `[["j", "next item", act], ["g u", "usage", act]]`. */
export const keys = (topic, rows) => tables.push([topic, rows]);

const isTyping = (target) => target.closest?.("input, textarea, select, [contenteditable]");

function act(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  if (isTyping(event.target)) return;
  const pressed = first ? `${first} ${event.key}` : event.key;
  first = "";
  clearTimeout(timer);
  let begins = false;
  // What was added last is of the page and goes before what all pages have.
  for (const [, rows] of tables.toReversed()) {
    for (const [names, , run] of rows) {
      for (const name of names.split(", ")) {
        if (name === pressed && run) {
          // Enter on a link or button stays theirs.
          if (event.key === "Enter" && event.target.closest?.("a, button, summary")) return;
          if (run(event) !== false) event.preventDefault();
          return;
        }
        if (!first && name.startsWith(`${event.key} `) && pressed === event.key) begins = true;
      }
    }
  }
  if (begins) {
    first = event.key;
    timer = setTimeout(() => { first = ""; }, 1200);
  }
}

let dialog;
export function help() {
  if (dialog?.open) {
    dialog.close();
    return;
  }
  dialog ??= document.body.appendChild(h("dialog", { class: "help", "aria-label": "Keys", onclick: (event) => { if (event.target === dialog) dialog.close(); } }));
  // What a page has for a key goes before what all pages have.
  const taken = new Set();
  const own = tables.toReversed().map(([topic, rows]) => {
    const free = rows.filter(([names]) => names.split(", ").some((name) => !taken.has(name)));
    for (const [names] of rows) for (const name of names.split(", ")) taken.add(name);
    return [topic, free];
  });
  put(dialog,
    h("header", {}, h("h2", {}, "Keys"), h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "help-topics" }, own.map(([topic, rows]) =>
      h("section", {}, h("h3", {}, topic), h("dl", {}, rows.map(([names, what]) => [
        h("dt", {}, names.split(", ").map((name, n) => [n > 0 && " ", name.split(" ").map((key) => h("kbd", {}, key))])),
        h("dd", {}, what),
      ]))))));
  dialog.showModal();
}

/** Begins to listen. */
export const start = () => document.addEventListener("keydown", act);
