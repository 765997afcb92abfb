// One item of a session: the server's HTML, its place in time, and what can be done with it.

import { get, session } from "./api.js";
import { count, clock, clockSeconds, day, duration, moment, size } from "./format.js";
import { failed, h, html, put, toast } from "./dom.js";

/** Text that is longer is put into the page piece by piece, so that it stays quick. */
const PIECE = 20_000;

export const anchor = (id) => `item-${id}`;

const STATUS = { failed: "✗ failed", interrupted: "◼ interrupted", inProgress: "… did not end", live: "going on" };

/** How a turn ended: one that did not is going on only while its session is written to. */
export const statusOf = (turn, isLive) => (turn?.status === "inProgress" && isLive ? "live" : turn?.status);

/** What stands before the first item of a turn. */
export function turnHead(turn, number, isLive) {
  const status = statusOf(turn, isLive);
  const start = moment(turn?.startedAt);
  const facts = [
    start && `${day(start)} ${clock(start)}`,
    turn?.durationMs ? duration(turn.durationMs) : null,
    turn && count(turn.itemCount, "item"),
  ].filter(Boolean).join(" · ");
  return h("h2", { class: "turn" },
    h("a", { href: `#turn-${number}` }, `Turn ${number}`), " ", h("small", {}, facts, STATUS[status] && [" · ", h("span", { class: `turn-${status}` }, STATUS[status])]));
}

/** What stands after the last item of a turn that did not end well. */
export function turnError(turn) {
  if (!turn?.error) return null;
  const details = turn.error.additionalDetails;
  return h("div", { class: "notice error", dir: "auto" }, h("b", {}, "error"), " ", turn.error.message ?? String(turn.error), details && h("pre", {}, details));
}

/** Where in time an item is, and its address. */
export function gutter(item, before, link) {
  const at = moment(item.at);
  const last = moment(before?.at);
  const isNew = at && (!last || clock(at) !== clock(last) || day(at) !== day(last));
  return h("div", { class: "gutter" },
    at && h("time", { datetime: item.at, title: `${day(at)} ${clockSeconds(at)}`, class: isNew ? "" : "same" }, clock(at)),
    link && h("a", { class: "link", href: `#${encodeURIComponent(anchor(item.id)).replaceAll("%3A", ":")}`, title: "Address of this item (key: y)", "aria-label": "Address of this item" }, "#"));
}

/** Long text in pieces that the browser lays out only when they come into sight. */
function pieces(root) {
  for (const pre of root.querySelectorAll("pre")) {
    const text = pre.textContent;
    if (text.length <= 4 * PIECE || pre.querySelector("span[class]")) continue;
    const parts = [];
    for (let at = 0; at < text.length;) {
      let end = Math.min(at + PIECE, text.length);
      const feed = text.indexOf("\n", end - 1);
      if (feed >= 0 && feed - end < PIECE) end = feed + 1;
      parts.push(h("span", { class: "piece" }, text.slice(at, end)));
      at = end;
    }
    put(pre, parts);
  }
}

/** The body of an item. `thread` is where the rest of what was cut is asked for. */
export function body(item, thread, branch) {
  const box = h("div", { class: "body" }, html(item.html));
  pieces(box);
  for (const more of box.querySelectorAll("button.more")) {
    more.type = "button";
    more.textContent = `Show all ${size(Number(more.dataset.bytes)) || ""}`.trim();
    // Who looks for something in what was cut calls this, too.
    more.whole = async () => {
      more.disabled = true;
      more.textContent = "Loading …";
      try {
        const { html: whole } = await get(`${session(thread)}/items/${encodeURIComponent(item.id)}`, { branch });
        const open = [...box.querySelectorAll("details")].map((node) => node.open);
        put(box, html(whole));
        pieces(box);
        box.querySelectorAll("details").forEach((node, n) => { node.open = open[n] ?? false; });
      } catch (error) {
        more.replaceWith(failed(error));
      }
    };
    more.addEventListener("click", more.whole);
  }
  return box;
}

/** Copies something, and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied: ${what}`);
  } catch {
    toast("The browser does not let this page copy");
  }
}
