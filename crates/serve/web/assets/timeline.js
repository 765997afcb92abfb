// A session in time: turns, tools and sub-agents in lanes, and how full the model's context was.

import { get, session } from "./api.js";
import { Axis } from "./axis.js";
import { choice, empty, entitle, h, put, s, say } from "./dom.js";
import { base, clock, clockSeconds, count, day, duration, moment, number, short } from "./format.js";
import { keys } from "./keys.js";
import { ticks } from "./plot.js";

const LEFT = 92;
const LANE = 24;
const TURNS = 30;
const CURVE = 150;
const FOOT = 22;
const LANES = [["message", "Messages", 8], ["reasoning", "Reasoning", 5], ["tool", "Tools", 1], ["command", "Commands", 3], ["edit", "Changes", 6], ["file", "Files", 6], ["web", "Web", 2], ["subagent", "Sub-agents", 4], ["notice", "Notices", 7]];

export default async function timeline(main) {
  const id = document.body.dataset.session;
  const query = new URLSearchParams(location.search);
  const branch = query.get("branch") ?? undefined;
  const [meta, data] = await Promise.all([get(session(id), { branch }), get(`${session(id)}/timeline`, { branch })]);
  const { thread } = meta;
  const page = `/s/${encodeURIComponent(id)}${branch ? `?branch=${encodeURIComponent(branch)}` : ""}`;
  const item = (itemId) => `${page}#item-${encodeURIComponent(itemId)}`;
  entitle(`Timeline of ${thread.title || "a session"}`);

  const time = (value) => moment(value)?.getTime() ?? NaN;
  const spans = data.spans.map((span) => ({ ...span, from: time(span.start), to: span.end ? time(span.end) : time(span.start) })).filter((span) => Number.isFinite(span.from));
  const turns = data.turns.map((turn) => ({ ...turn, from: time(turn.start), to: turn.end ? time(turn.end) : NaN })).filter((turn) => Number.isFinite(turn.from));
  // Turns are often written down to the second only: their items say it better.
  const ofTurn = Map.groupBy(spans, (span) => span.turn);
  for (const turn of turns) {
    turn.spans = ofTurn.get(turn.index) ?? [];
    if (turn.spans.length > 0) turn.from = turn.spans.reduce((first, span) => Math.min(first, span.from), Infinity);
  }
  for (const [n, turn] of turns.entries()) {
    const end = turn.spans.reduce((last, span) => Math.max(last, span.lane === "subagent" ? span.from : span.to), turn.from);
    // A command may go on when its turn is over.
    const isKnown = Number.isFinite(turn.to);
    const last = isKnown ? Math.min(Math.max(end, turn.to), turn.to + 1000) : end;
    turn.to = Math.max(turn.from, Math.min(last, turns[n + 1]?.from ?? Infinity));
    turn.lasted = meta.turns[turn.index]?.durationMs ?? turn.to - turn.from;
  }
  const context = (data.context ?? []).map((point) => ({ ...point, at: time(point.time) })).filter((point) => Number.isFinite(point.at));
  const compactions = (data.compactions ?? []).map((point) => ({ ...point, at: time(point.time) })).filter((point) => Number.isFinite(point.at));

  const headline = h("div", { class: "timeline-head" },
    h("p", { class: "path" }, h("a", { href: "/" }, "Sessions"), " / ", h("a", { href: page, dir: "auto" }, thread.title || id), thread.cwd && ` in ${base(thread.cwd)}`),
    h("h1", {}, "Timeline"));
  if (spans.length === 0) {
    put(main, headline, empty("Nothing in this session has a time.", "Its harness does not write down when things happened. ", h("a", { href: page }, "Read the session"), "."));
    return;
  }

  const names = new Map(LANES.map(([key, name, color]) => [key, { name, color }]));
  const lanes = [...new Set(spans.map((span) => span.lane))].filter((lane) => lane !== "compaction")
    .toSorted((a, b) => order(a) - order(b)).map((lane) => ({ lane, ...(names.get(lane) ?? { name: lane[0].toUpperCase() + lane.slice(1), color: 8 }), spans: spans.filter((span) => span.lane === lane) }));
  let fold = true;
  let axis;
  let view = [0, 1];
  let width = 0;
  let chosen = -1;
  const height = TURNS + lanes.length * LANE + (context.length > 0 ? CURVE + 14 : 0) + FOOT;
  const curveTop = TURNS + lanes.length * LANE + 14;
  const highest = maxTokens(context);
  const most = Math.max(highest, ...context.map((point) => (point.window && point.window < 4 * highest ? point.window : 0)), 1);
  const marks = ticks(most, 3);

  const svg = s("svg", { class: "plot", height, tabindex: 0, role: "application", "aria-roledescription": "timeline", "aria-label": "Timeline. Left and right arrow keys go from item to item, Enter opens one, plus and minus zoom." });
  const tip = h("div", { class: "tip", "aria-hidden": "true" });
  tip.hidden = true;
  const box = h("div", { class: "timeline-box" }, svg, tip);
  const told = h("p", { class: "note" });

  const fit = () => { axis = new Axis([...spans.map((span) => [span.from, span.to]), ...turns.map((turn) => [turn.from, turn.to])], fold); };
  const x = (at) => LEFT + ((at - view[0]) / (view[1] - view[0])) * (width - LEFT);
  const xTime = (when) => x(axis.at(when));
  const y = (tokens) => curveTop + CURVE - (tokens / (marks.at(-1) || 1)) * CURVE;

  /** Spans that would stand in the same place are drawn as one: a session may have tens of thousands. */
  function merged(list) {
    const all = [];
    for (const span of list) {
      const from = xTime(span.from);
      const to = Math.max(from + 2, xTime(span.to));
      if (to < LEFT || from > width) continue;
      const last = all.at(-1);
      if (last && from - last.to < 0.75 && last.status === span.status && span !== spans[chosen] && last.first !== spans[chosen]) {
        last.to = Math.max(last.to, to);
        last.count += 1;
      } else all.push({ from: Math.max(LEFT, from), to, first: span, status: span.status, count: 1 });
    }
    return all;
  }

  function draw() {
    if (width === 0) return;
    const inner = width - LEFT;
    const nodes = [];
    for (const gap of axis.gaps) {
      const from = x(gap.from);
      const to = x(gap.from + gap.width);
      // Many narrow ones would only be stripes.
      if (to < LEFT || from > width || to - from < 4) continue;
      nodes.push(s("rect", { class: "gap", x: Math.max(LEFT, from), y: 0, width: Math.max(1, to - Math.max(LEFT, from)), height: height - FOOT }, s("title", {}, `${duration(gap.ms)} without anything`)));
    }
    for (const turn of turns) {
      const from = Math.max(LEFT, xTime(turn.from));
      const to = xTime(turn.to);
      if (to < LEFT || from > width) continue;
      const wide = Math.max(2, to - from);
      nodes.push(s("a", { href: turn.spans[0] ? item(turn.spans[0].itemId) : page, tabindex: -1, "aria-hidden": "true" },
        s("rect", { class: "turn", x: from, y: 3, width: wide, height: TURNS - 8, rx: 3 }, s("title", {}, `Turn ${turn.index + 1}, ${duration(turn.lasted)}\n${turn.prompt ?? ""}`)),
        wide > 24 && s("text", { class: "turn-name", x: from + 5, y: 18 }, fitted(`${turn.index + 1} ${turn.prompt ?? ""}`, wide - 8))));
    }
    nodes.push(s("text", { class: "lane", x: 8, y: 19 }, "Turns"));
    lanes.forEach((lane, n) => {
      const top = TURNS + n * LANE;
      nodes.push(s("line", { class: "grid", x1: 0, x2: width, y1: top, y2: top }), s("text", { class: "lane", x: 8, y: top + 16 }, lane.name));
      for (const group of merged(lane.spans)) {
        nodes.push(s("rect", {
          class: `span c${lane.color}${group.status === "failed" ? " failed" : ""}${group.first === spans[chosen] ? " chosen" : ""}`,
          x: group.from.toFixed(1), y: top + 5, width: Math.max(2, group.to - group.from).toFixed(1), height: LANE - 10, rx: 2, "data-span": spans.indexOf(group.first), "data-count": group.count,
        }));
      }
    });
    if (context.length > 0) nodes.push(...curve());
    let named = -Infinity;
    for (const point of compactions) {
      const at = xTime(point.at);
      if (at < LEFT || at > width) continue;
      nodes.push(s("line", { class: "compaction", x1: at, x2: at, y1: TURNS, y2: height - FOOT }, s("title", {}, "Context compacted")));
      if (context.length === 0 || at - named < 70) continue;
      named = at;
      nodes.push(s("text", { class: "lane middle", x: Math.max(LEFT + 30, Math.min(width - 34, at)), y: curveTop - 3 }, "compacted"));
    }
    const room = (inner < 500 ? 76 : 110) / inner * (view[1] - view[0]);
    let lastDay = "";
    const times = axis.marks(view[0], view[1], room);
    const isFine = times.some((mark, n) => n > 0 && mark.time - times[n - 1].time < 60_000);
    for (const mark of times) {
      const date = new Date(mark.time);
      const isDay = day(date) !== lastDay;
      lastDay = day(date);
      nodes.push(s("line", { class: "grid", x1: x(mark.at), x2: x(mark.at), y1: height - FOOT, y2: height - FOOT + 4 }),
        s("text", { class: "axis", x: Math.min(x(mark.at) + 2, width - 70), y: height - 6 }, `${isDay ? `${lastDay.slice(5)} ` : ""}${isFine ? clockSeconds(date) : clock(date)}`));
    }
    put(svg, nodes);
  }

  function curve() {
    const points = context.map((point) => [xTime(point.at), y(point.tokens)]);
    const line = points.map(([px, py], n) => `${n === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    const window = context.findLast((point) => point.window)?.window;
    const id = "clip";
    return [
      s("line", { class: "grid", x1: 0, x2: width, y1: TURNS + lanes.length * LANE, y2: TURNS + lanes.length * LANE }),
      s("text", { class: "lane", x: 8, y: curveTop + 8 }, "Context"),
      marks.map((mark) => [s("line", { class: "grid", x1: LEFT, x2: width, y1: y(mark), y2: y(mark) }), s("text", { class: "axis end", x: LEFT - 6, y: y(mark) + 4 }, short(mark))]),
      s("clipPath", { id }, s("rect", { x: LEFT, y: curveTop - 4, width: width - LEFT, height: CURVE + 8 })),
      s("g", { "clip-path": `url(#${id})` },
        s("path", { class: "area", d: `${line}L${points.at(-1)[0].toFixed(1)} ${y(0)}L${points[0][0].toFixed(1)} ${y(0)}Z` }),
        s("path", { class: "curve", d: line }),
        window && window <= marks.at(-1) && s("line", { class: "limit", x1: LEFT, x2: width, y1: y(window), y2: y(window) }, s("title", {}, `The model's window: ${number(window)} tokens`))),
    ].flat(Infinity).filter(Boolean);
  }

  const describe = (span) => `${(names.get(span.lane)?.name ?? span.lane).replace(/s$/, "")}: ${span.label}`;
  function show(index, left, top, more = 0) {
    const span = spans[index];
    tip.hidden = false;
    put(tip, h("div", { class: "tip-head", dir: "auto" }, span.label || span.lane),
      h("div", {}, [`${clockSeconds(new Date(span.from))}`, span.to > span.from && duration(span.to - span.from), span.status && span.status !== "completed" && span.status, `turn ${span.turn + 1}`].filter(Boolean).join(" · ")),
      more > 1 && h("div", { class: "dim" }, `and ${number(more - 1)} more here: zoom in`));
    tip.style.left = `${Math.max(4, Math.min(width - tip.offsetWidth - 4, left + 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(height - tip.offsetHeight - 4, top + 14))}px`;
  }

  function choose(index) {
    chosen = Math.max(0, Math.min(spans.length - 1, index));
    const at = axis.at(spans[chosen].from);
    const wide = view[1] - view[0];
    if (at < view[0] || at > view[1]) look(at - wide / 2, at + wide / 2);
    else draw();
    const node = svg.querySelector(".chosen");
    if (node) show(chosen, Number(node.getAttribute("x")), Number(node.getAttribute("y")) + 8);
    say(`${describe(spans[chosen])}, ${clockSeconds(new Date(spans[chosen].from))}${spans[chosen].to > spans[chosen].from ? `, ${duration(spans[chosen].to - spans[chosen].from)}` : ""}`);
  }

  function look(from, to) {
    const wide = Math.max(0.0002, Math.min(1, to - from));
    const start = Math.max(0, Math.min(1 - wide, from));
    view = [start, start + wide];
    tip.hidden = true;
    reset.disabled = wide >= 1;
    draw();
  }
  const zoom = (factor, around = 0.5) => {
    const wide = view[1] - view[0];
    const middle = view[0] + wide * around;
    look(middle - wide * factor * around, middle + wide * factor * (1 - around));
  };
  const pan = (part) => look(view[0] + (view[1] - view[0]) * part, view[1] + (view[1] - view[0]) * part);

  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const rect = svg.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.max(0, (event.clientX - rect.left - LEFT) / (width - LEFT)));
    else pan((event.deltaX || event.deltaY) / width);
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (event) => { held = { x: event.clientX, view: [...view], moved: false }; });
  addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("pointermove", (event) => {
    const rect = svg.getBoundingClientRect();
    if (held && event.buttons === 1) {
      const by = ((held.x - event.clientX) / (width - LEFT)) * (held.view[1] - held.view[0]);
      if (Math.abs(held.x - event.clientX) > 4) held.moved = true;
      if (held.moved) look(held.view[0] + by, held.view[1] + by);
      return;
    }
    const node = event.target.closest?.("[data-span]");
    if (node) show(Number(node.dataset.span), event.clientX - rect.left, event.clientY - rect.top, Number(node.dataset.count));
    else if (context.length > 0 && event.clientY - rect.top > curveTop - 10 && event.clientX - rect.left > LEFT) showContext(event.clientX - rect.left, event.clientY - rect.top);
    else tip.hidden = true;
  });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  svg.addEventListener("click", (event) => {
    const node = event.target.closest?.("[data-span]");
    if (node) location.href = item(spans[Number(node.dataset.span)].itemId);
  });
  function showContext(left, top) {
    let best = context[0];
    for (const point of context) if (Math.abs(xTime(point.at) - left) < Math.abs(xTime(best.at) - left)) best = point;
    tip.hidden = false;
    put(tip, h("div", { class: "tip-head" }, `${number(best.tokens)} tokens`),
      h("div", {}, [clockSeconds(new Date(best.at)), best.window && `${Math.round((100 * best.tokens) / best.window)} % of ${short(best.window)}`].filter(Boolean).join(" · ")));
    tip.style.left = `${Math.max(4, Math.min(width - tip.offsetWidth - 4, left + 8))}px`;
    tip.style.top = `${Math.max(4, top - tip.offsetHeight - 8)}px`;
  }
  svg.addEventListener("keydown", (event) => {
    const acts = {
      ArrowRight: () => choose(chosen + 1), ArrowLeft: () => choose(chosen < 0 ? spans.length - 1 : chosen - 1), Home: () => choose(0), End: () => choose(spans.length - 1),
      Enter: () => { if (chosen >= 0) location.href = item(spans[chosen].itemId); },
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  });
  svg.addEventListener("blur", () => {
    chosen = -1;
    tip.hidden = true;
    draw();
  });

  const reset = h("button", { type: "button", title: "Show all (key: 0)", disabled: true, onclick: () => look(0, 1) }, "All");
  put(main, headline,
    h("div", { class: "bar" }, h("a", { class: "button", href: page }, "Read the session"),
      h("button", { type: "button", title: "Zoom in (key: +)", onclick: () => zoom(0.5) }, "Zoom in"), h("button", { type: "button", title: "Zoom out (key: -)", onclick: () => zoom(2) }, "Zoom out"), reset,
      choice("Idle time", [["fold", "Idle time folded"], ["keep", "As it was"]], "fold", (value) => {
        fold = value === "fold";
        fit();
        look(0, 1);
      }), told),
    box, tables());
  // A wheel with Ctrl is nothing that a finger has.
  const how = matchMedia("(pointer: coarse)").matches ? "drag to move" : "drag to move, Ctrl and wheel to zoom";
  put(told, [count(turns.length, "turn"), count(spans.length, "item"), compactions.length > 0 && count(compactions.length, "compaction"), how].filter(Boolean).join(" · "),
    spans.some((span) => span.status === "failed") && [" · ", s("svg", { class: "key", width: 10, height: 10, "aria-hidden": "true" }, s("rect", { class: "span failed", width: 10, height: 10, rx: 2 })), " failed"]);

  function tables() {
    const longest = spans.filter((span) => span.to > span.from && !["message", "reasoning"].includes(span.lane)).toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, 12);
    return h("div", { class: "timeline-tables" },
      h("section", {}, h("h2", {}, "Turns"), h("div", { class: "plot-table", tabindex: 0, role: "group", "aria-label": "Turns" }, h("table", { class: "rows" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Turn"), h("th", { scope: "col" }, "Begun"), h("th", { scope: "col", class: "r" }, "Lasted"), h("th", { scope: "col", class: "r" }, "Items"))),
        h("tbody", {}, turns.slice(0, 500).map((turn) => h("tr", {}, h("td", { class: "what", dir: "auto" }, h("span", { class: "clamp" }, `${turn.index + 1} `, turn.spans[0] ? h("a", { href: item(turn.spans[0].itemId) }, turn.prompt || "—") : turn.prompt || "—")),
          h("td", { class: "r" }, `${day(new Date(turn.from)).slice(5)} ${clock(new Date(turn.from))}`), h("td", { class: "r" }, duration(turn.lasted) || "–"), h("td", { class: "r" }, number(turn.spans.length)))))))),
      longest.length > 0 && h("section", {}, h("h2", {}, "What took longest"), h("div", { class: "wide" }, h("table", { class: "rows" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What"), h("th", { scope: "col" }, "Kind"), h("th", { scope: "col", class: "r" }, "Lasted"))),
        h("tbody", {}, longest.map((span) => h("tr", {}, h("td", { class: "what" }, h("a", { href: item(span.itemId), class: "clamp" }, h("code", {}, span.label))), h("td", {}, span.lane), h("td", { class: "r" }, duration(span.to - span.from)))))))),
      context.length > 0 && h("section", {}, h("h2", {}, "Context"), h("div", { class: "plot-table", tabindex: 0, role: "group", "aria-label": "Context" }, h("table", { class: "rows" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "At"), h("th", { scope: "col", class: "r" }, "Tokens"), h("th", { scope: "col", class: "r" }, "Of the window"))),
        h("tbody", {}, sparse(context).map((point) => h("tr", {}, h("td", {}, `${day(new Date(point.at)).slice(5)} ${clockSeconds(new Date(point.at))}`), h("td", { class: "r" }, number(point.tokens)), h("td", { class: "r" }, point.window ? `${Math.round((100 * point.tokens) / point.window)} %` : "–"))))))));
  }

  fit();
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    svg.setAttribute("width", width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    draw();
  }).observe(box);
  keys("Timeline", [
    ["+, =", "zoom in", () => zoom(0.5)], ["-", "zoom out", () => zoom(2)], ["0", "show all", () => look(0, 1)],
    ["ArrowLeft, h", "to the left", () => pan(-0.25)], ["ArrowRight, l", "to the right", () => pan(0.25)],
    ["t, u", "back to the session", () => { location.href = page; }],
  ]);
}

const maxTokens = (context) => Math.max(...context.map((point) => point.tokens), 1);
const order = (lane) => {
  const at = LANES.findIndex(([key]) => key === lane);
  return at < 0 ? LANES.length : at;
};

/** So much of a text as has room, at about 6.3 pixels a letter. */
function fitted(text, room) {
  const most = Math.floor(room / 6.3);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}

/** At most 200 of many points, evenly. */
function sparse(points) {
  const step = Math.ceil(points.length / 200);
  return points.filter((_, n) => n % step === 0 || n === points.length - 1);
}
