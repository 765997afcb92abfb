// Plots in SVG. What hovering shows is reached with the arrow keys, too, and told to screen readers.

import { h, put, s, say } from "./dom.js";

const LEFT = 52;
const FOOT = 24;
const TOP = 8;

/** Round numbers for an axis from 0. */
export function ticks(max, wanted = 4) {
  if (!(max > 0)) return [0];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
  const all = [];
  for (let value = 0; value < max + step * 0.999; value += step) all.push(value);
  return all;
}

/** What all plots have: a frame that is drawn again when its width changes, and a pointer with a box of values. */
export function figure(label, height, { count, draw, place, told, side = 1, up = 1 }) {
  const svg = s("svg", { class: "plot", height, tabindex: 0, role: "application", "aria-roledescription": "plot", "aria-label": `${label}. The arrow keys go through the values.` });
  const tip = h("div", { class: "tip", "aria-hidden": "true" });
  tip.hidden = true;
  const box = h("figure", { class: "plot-box" }, svg, tip);
  let width = 0;
  let at = -1;

  function pick(index, quiet = false) {
    at = index;
    svg.querySelector(".pointer")?.remove();
    tip.hidden = index < 0;
    if (index < 0) return;
    const spot = place(index, width);
    svg.append(s("rect", { class: "pointer", x: spot.x, y: spot.y, width: spot.width, height: spot.height }));
    put(tip, told(index).map(([name, value, color], n) => h("div", { class: n === 0 ? "tip-head" : "tip-row" },
      color !== undefined && s("svg", { width: 9, height: 9, "aria-hidden": "true" }, s("rect", { width: 9, height: 9, rx: 2, class: `c${color}` })), h("span", {}, name), value !== undefined && h("b", {}, value))));
    const room = tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(width - room, spot.x + spot.width / 2 - room / 2))}px`;
    tip.style.top = `${Math.max(0, spot.y - tip.offsetHeight - 6)}px`;
    if (!quiet) say(told(index).map((row) => row.slice(0, 2).filter((part) => part !== undefined).join(" ")).join(", "));
  }

  svg.addEventListener("pointermove", (event) => {
    const rect = svg.getBoundingClientRect();
    const x = event.clientX - rect.left;
    const y = event.clientY - rect.top;
    let best = -1;
    for (let index = 0; index < count(); index += 1) {
      const spot = place(index, width);
      if (x >= spot.x - (spot.slack ?? 0) && x <= spot.x + spot.width + (spot.slack ?? 0) && y >= spot.y && y <= spot.y + spot.height) {
        best = index;
        break;
      }
    }
    if (best !== at) pick(best, true);
  });
  svg.addEventListener("pointerleave", () => pick(-1));
  svg.addEventListener("blur", () => pick(-1));
  svg.addEventListener("keydown", (event) => {
    const last = count() - 1;
    const step = { ArrowLeft: -side, ArrowRight: side, ArrowUp: -up, ArrowDown: up }[event.key];
    let next;
    if (event.key === "Home") next = 0;
    else if (event.key === "End") next = last;
    else if (event.key === "Escape") next = -1;
    else if (step !== undefined) next = at < 0 ? last : Math.max(0, Math.min(last, at + step));
    else return;
    event.preventDefault();
    event.stopPropagation();
    pick(next);
  });
  new ResizeObserver(() => {
    if (box.clientWidth === width || box.clientWidth === 0) return;
    width = box.clientWidth;
    svg.setAttribute("width", width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    put(svg, draw(width));
    pick(-1);
  }).observe(box);
  return box;
}

/** Columns, each a stack of values. `series` is `[{ name, values, color }]`, lowest first. */
export function columns({ label, keys, series, format, height = 240, short = (key) => key }) {
  const sums = keys.map((_, n) => series.reduce((sum, one) => sum + (one.values[n] ?? 0), 0));
  const marks = ticks(Math.max(...sums, 0));
  const top = marks.at(-1) || 1;
  const inner = height - FOOT - TOP;
  const step = (width) => (width - LEFT - 4) / Math.max(1, keys.length);
  const y = (value) => TOP + inner - (value / top) * inner;
  return figure(label, height, {
    count: () => keys.length,
    place: (index, width) => ({ x: LEFT + index * step(width), y: TOP, width: step(width), height: inner }),
    told: (index) => [
      [keys[index]],
      ...series.filter((one) => one.values[index] > 0).toReversed().map((one) => [one.name, format(one.values[index]), one.color]),
      ["total", format(sums[index])],
    ],
    draw: (width) => {
      const wide = step(width);
      const gap = wide > 6 ? Math.min(wide * 0.22, 10) : wide > 2 ? 0.6 : 0;
      const thin = Math.max(1, Math.ceil((keys.length * 64) / (width - LEFT)));
      return [
        marks.map((mark) => [
          s("line", { class: "grid", x1: LEFT, x2: width, y1: y(mark), y2: y(mark) }),
          s("text", { class: "axis end", x: LEFT - 6, y: y(mark) + 4 }, format(mark)),
        ]),
        keys.map((key, n) => {
          let from = 0;
          const x = LEFT + n * wide + gap / 2;
          return series.map((one) => {
            const value = one.values[n] ?? 0;
            if (!(value > 0)) return null;
            const bottom = y(from);
            from += value;
            return s("rect", { class: `c${one.color}`, x: x.toFixed(2), y: y(from).toFixed(2), width: Math.max(0.5, wide - gap).toFixed(2), height: Math.max(0.5, bottom - y(from)).toFixed(2) });
          });
        }),
        keys.map((key, n) => n % thin === 0 && s("text", { class: "axis middle", x: LEFT + (n + 0.5) * wide, y: height - 7 }, short(key))),
      ].flat(Infinity).filter(Boolean);
    },
  });
}

/** A calendar of days as a heat map: a column a week, Monday first. `days` is `[{ date, value }]`, without gaps. */
export function calendar({ label, days, format }) {
  const SIDE = 13;
  const HEAD = 18;
  const MARGIN = 30;
  const first = days.length > 0 ? weekday(days[0].date) : 0;
  const max = Math.max(...days.map((day) => day.value ?? 0), 0);
  // Most days are far below the busiest: steps by root show them apart.
  const level = (value) => (!(value > 0) ? 0 : Math.min(5, 1 + Math.floor(Math.sqrt(value / max) * 4.999)));
  const cell = (n) => ({ week: Math.floor((n + first) / 7), row: (n + first) % 7 });
  const spot = (n) => ({ x: MARGIN + cell(n).week * (SIDE + 2), y: HEAD + cell(n).row * (SIDE + 2), width: SIDE, height: SIDE });
  const wide = days.length > 0 ? spot(days.length - 1).x + SIDE + 4 : MARGIN;
  const plot = figure(label, HEAD + 7 * (SIDE + 2) + 2, {
    count: () => days.length,
    side: 7,
    place: spot,
    told: (index) => [[days[index].date], [format(days[index].value)]],
    draw: () => [
      ["Mon", "Wed", "Fri"].map((name, n) => s("text", { class: "axis", x: 0, y: HEAD + n * 2 * (SIDE + 2) + 11 }, name)),
      days.map((day, n) => day.date.endsWith("-01") && s("text", { class: "axis", x: spot(n).x, y: 11 },
        new Date(`${day.date}T12:00:00`).toLocaleDateString("en", day.date.slice(5, 7) === "01" ? { year: "numeric" } : { month: "short" }))),
      days.map((day, n) => s("rect", { class: `heat l${level(day.value)}`, rx: 2, ...spot(n) })),
    ].flat().filter(Boolean),
  });
  const scroller = h("div", { class: "wide", tabindex: 0, "aria-label": label, role: "group" }, plot);
  plot.style.minWidth = `${wide}px`;
  // The newest days are at the end.
  requestAnimationFrame(() => { scroller.scrollLeft = scroller.scrollWidth; });
  const steps = [0, 1, 2, 3, 4, 5].map((n) => s("rect", { class: `heat l${n}`, x: n * (SIDE + 2), width: SIDE, height: SIDE, rx: 2 }));
  return h("div", {}, scroller, h("p", { class: "note scale" }, "nothing ", s("svg", { width: 6 * (SIDE + 2), height: SIDE, "aria-hidden": "true" }, steps), ` ${format(max)}`));
}

/** Monday is 0. */
export const weekday = (date) => (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;

/** Names of colours. */
export const legend = (series) => h("ul", { class: "legend" }, series.toReversed().map((one) =>
  h("li", {}, s("svg", { width: 10, height: 10, "aria-hidden": "true" }, s("rect", { width: 10, height: 10, rx: 2, class: `c${one.color}` })), " ", one.name)));

/** A bar in a table. */
export const bar = (part, color = 1) => s("svg", { class: "bar-cell", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
  s("rect", { class: `c${color}`, width: Math.max(part > 0 ? 0.5 : 0, part * 100), height: 10 }));
