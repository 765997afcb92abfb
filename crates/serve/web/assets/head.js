// What stands above a session: what it is, what it used, what it belongs to.

import { get, session } from "./api.js";
import { h, put } from "./dom.js";
import { base, cost, count, duration, moment, number, short, tokens, when } from "./format.js";
import { copy } from "./item.js";

const known = new Map();

/** A link to another session, with its title once that is known. */
function relation(id, word, cls, item) {
  const link = h("a", { href: `/s/${encodeURIComponent(id)}${item ? `#item-${encodeURIComponent(item)}` : ""}`, class: cls }, known.get(id)?.title ?? id.slice(0, 8));
  const show = ({ title, item: at }) => {
    put(link, title);
    if (at) link.href = `/s/${encodeURIComponent(id)}#item-${encodeURIComponent(at)}`;
  };
  if (known.has(id)) show(known.get(id));
  else {
    get(session(id)).then(({ thread }) => {
      const child = cls === "parent" && thread.lineage?.subagents?.find((agent) => agent.id === document.body.dataset.session);
      known.set(id, { title: thread.title || id.slice(0, 8), item: child?.toolCallId });
      show(known.get(id));
    }).catch(() => {
      known.set(id, { title: id.slice(0, 8) });
      link.title = "This session is not in the stores any more";
    });
  }
  return h("span", { class: "relation" }, `${word} `, link);
}

function windowBar(context) {
  if (!context?.size) return null;
  const percent = Math.min(100, context.percent ?? (100 * context.used) / context.size);
  return h("div", { class: "fact-box" }, h("dt", {}, "Context"),
    h("dd", { title: `${number(context.used)} of ${number(context.size)} tokens` },
      h("meter", { min: 0, max: 100, high: 80, value: percent, "aria-label": "How full the model's context is" }), ` ${Math.round(percent)} %`));
}

/** Draws the head of a session. */
export function head(box, meta, { id, branch }) {
  const { thread } = meta;
  const query = branch ? `?branch=${encodeURIComponent(branch)}` : "";
  const sum = (key) => (meta.usage ?? []).reduce((all, row) => all + (row[key] ?? 0), 0);
  const priced = (meta.usage ?? []).some((row) => row.costUsd !== null && row.costUsd !== undefined);
  const start = moment(thread.createdAt);
  const end = moment(thread.updatedAt);
  const models = [...new Set([...(meta.usage ?? []).map((row) => row.key), thread.model].filter(Boolean))];
  const fact = (name, value, title) => value && h("div", { class: "fact-box" }, h("dt", {}, name), h("dd", { title }, value));
  const lineage = thread.lineage ?? {};
  const agents = lineage.subagents ?? [];
  const parts = (meta.usage ?? []).map((row) => `${row.key}: ${tokens(row)} · ${cost(row.costUsd)}`).join("\n");
  const isMenuOpen = box.querySelector("details.menu")?.open;
  put(box,
    h("p", { class: "path" },
      h("a", { href: "/" }, "Sessions"), thread.cwd && [" / ", h("a", { href: `/?project=${encodeURIComponent(thread.cwd)}`, title: thread.cwd }, base(thread.cwd))],
      lineage.parentId && [" / ", relation(lineage.parentId, "sub-agent of", "parent")],
      lineage.forkedFromId && [" · ", relation(lineage.forkedFromId, "forked from", "origin")],
      lineage.continuedIn && [" · ", relation(lineage.continuedIn, "goes on in", "next")]),
    h("h1", { dir: "auto" }, meta.live && h("span", { class: "live", title: "Being written now" }, h("span", { class: "hidden" }, "live ")), thread.title || "Without a title"),
    h("dl", { class: "facts-line" },
      fact("Harness", thread.harness),
      fact("Model", models.length > 2 ? `${models[0]} and ${models.length - 1} more` : models.join(", "), models.join("\n")),
      fact("Git branch", thread.gitBranch),
      fact("Begun", when(thread.createdAt)),
      fact("Lasted", start && end && end > start ? duration(end - start) : "", `last written ${when(thread.updatedAt)}`),
      fact("Size", [count(meta.turns.length, "turn"), count(meta.items, "item")].join(", ")),
      fact("Tokens", sum("totalTokens") > 0 ? short(sum("totalTokens")) : "", parts),
      fact("Cost", priced ? cost(sum("costUsd")) : "", parts),
      windowBar(meta.contextWindow)),
    h("p", { class: "actions" },
      h("a", { class: "button", href: `/s/${encodeURIComponent(id)}/timeline${query}` }, "Timeline"),
      meta.findings > 0 && h("a", { class: "button warn", href: `/findings?id=${encodeURIComponent(id)}` }, count(meta.findings, "finding")),
      meta.resumeCommand && h("button", { type: "button", title: meta.resumeCommand, onclick: () => copy(meta.resumeCommand, meta.resumeCommand) }, "Copy the command to resume"),
      h("button", { type: "button", title: id, onclick: () => copy(id, id) }, "Copy the id"),
      agents.length > 0 && h("details", { class: "menu", open: isMenuOpen }, h("summary", {}, count(agents.length, "sub-agent")),
        h("ul", {}, agents.slice(0, 200).map((agent) => h("li", {}, h("a", { href: `/s/${encodeURIComponent(agent.id)}` }, agent.name || agent.id), agent.toolCallId && [" ", h("a", { class: "quiet", href: `#item-${encodeURIComponent(agent.toolCallId)}` }, "where it was started")]))))));
}
