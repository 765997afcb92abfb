// A sub-agent's session inside the one that started it.

import { get, session } from "./api.js";
import { failed, h, put } from "./dom.js";
import { count, number } from "./format.js";
import { body, gutter, turnHead } from "./item.js";

const PART = 50;

/** The place of a sub-agent: closed at first. `depth` is how deep it is nested. */
export function nested(id, name = "", depth = 1) {
  const content = h("div", { class: "nested-items" });
  const facts = h("small", {}, name);
  const box = h("details", { class: "nested", "data-subagent": id },
    h("summary", {}, h("span", { class: "verb" }, "sub-agent"), " ", facts),
    h("p", { class: "nested-links" }, h("a", { href: `/s/${encodeURIComponent(id)}` }, "Open as its own page")),
    content);
  const seen = new Set();
  let begun = false;

  async function more(from, meta) {
    const { items, total } = await get(`${session(id)}/items`, { from, limit: PART });
    content.querySelector(":scope > .more-rows")?.remove();
    items.forEach((item, n) => {
      if (item.subagentId) seen.add(item.subagentId);
      content.append(h("div", { class: "item", "data-type": item.type },
        item.turnStart && meta.turns.length > 1 && turnHead(meta.turns[item.turn], item.turn + 1),
        h("div", { class: "line" }, gutter(item, items[n - 1], false), body(item, id, undefined)),
        item.subagentId && item.subagentId !== id && depth < 5 && nested(item.subagentId, "", depth + 1)));
    });
    const shown = from + items.length;
    if (shown >= total && depth < 5) {
      const rest = (meta.thread.lineage?.subagents ?? []).filter((agent) => agent.id !== id && !seen.has(agent.id));
      content.append(...rest.map((agent) => nested(agent.id, agent.name ?? "", depth + 1)));
    }
    if (items.length > 0 && shown < total) {
      content.append(h("p", { class: "more-rows" }, h("button", {
        type: "button",
        onclick: (event) => {
          event.target.disabled = true;
          more(shown, meta).catch((error) => put(content, failed(error)));
        },
      }, `Show ${Math.min(PART, total - shown)} more of ${number(total)}`)));
    }
  }

  box.addEventListener("toggle", async () => {
    if (!box.open || begun) return;
    begun = true;
    put(content, h("p", { class: "note" }, "Loading …"));
    try {
      const meta = await get(session(id));
      put(facts, [meta.thread.title, meta.thread.model, count(meta.items, "item")].filter(Boolean).join(" · "));
      put(content);
      await more(0, meta);
    } catch (error) {
      begun = false;
      put(content, failed(error));
    }
  });
  return box;
}
