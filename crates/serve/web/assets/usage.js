// Tokens and cost: by day and model, by model, by project, when in the week, and the blocks of five hours.

import { get } from "./api.js";
import { choice, empty, entitle, failed, h, put, readdress } from "./dom.js";
import { cost, count, number, short, shortPaths } from "./format.js";
import { bar, calendar, columns, legend } from "./plot.js";

const METRICS = {
  tokens: { name: "Tokens", of: (row) => row.totalTokens ?? row.tokens ?? 0, format: short, whole: number },
  cost: { name: "Cost", of: (row) => row.costUsd ?? 0, format: cost, whole: cost },
  responses: { name: "Responses", of: (row) => row.responses ?? 0, format: short, whole: number },
};
const RANGES = [["7d", "7 days"], ["30d", "30 days"], ["90d", "90 days"], ["365d", "A year"], ["", "All"]];
const UNITS = [["", "Auto"], ["day", "Day"], ["week", "Week"], ["month", "Month"]];
const SERIES = 7;
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export default async function usage(main) {
  entitle("Usage");
  const query = new URLSearchParams(location.search);
  const state = Object.fromEntries(["metric", "since", "unit", "harness", "project", "model"].map((name) => [name, query.get(name) ?? ""]));
  state.metric = METRICS[state.metric] ? state.metric : "tokens";
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const content = h("div", { class: "usage" });
  const chosen = h("p", { class: "chosen" });
  let data = null;
  let asked = 0;

  const remember = () => {
    const next = new URLSearchParams(Object.entries(state).filter(([name, value]) => value && !(name === "metric" && value === "tokens")));
    readdress(next.size > 0 ? `/usage?${next}` : "/usage");
  };
  const set = (name, value) => {
    state[name] = value;
    remember();
    if (name === "metric") draw();
    else load();
  };
  put(main,
    h("div", { class: "bar" }, h("h1", {}, "Usage"),
      choice("What is counted", Object.entries(METRICS).map(([key, { name }]) => [key, name]), state.metric, (value) => set("metric", value)),
      choice("How far back", RANGES, state.since, (value) => set("since", value)),
      choice("By what", UNITS, state.unit, (value) => set("unit", value)), chosen),
    content);

  async function load() {
    const turn = ++asked;
    if (!data) put(content, h("p", { class: "note" }, "Counting …"));
    const filter = { since: state.since, harness: state.harness, project: state.project, model: state.model, timezone };
    try {
      const days = await get("usage", { ...filter, by: "day" });
      const unit = state.unit || fitting(days.rows.map((row) => row.key));
      const [stacked, models, projects, harnesses, blocks, heat] = await Promise.all([
        get("usage", { ...filter, by: `${unit},model` }), get("usage", { ...filter, by: "model" }), get("usage", { ...filter, by: "project" }),
        get("usage", { ...filter, by: "harness" }), get("usage", { ...filter, by: "hour-block" }), get("usage/heatmap", { timezone, since: state.since, harness: state.harness, project: state.project, model: state.model }),
      ]);
      if (turn !== asked) return;
      data = { unit, days, stacked, models, projects, harnesses, blocks, heat };
      draw();
    } catch (error) {
      if (turn === asked) put(content, failed(error, load));
    }
  }

  function draw() {
    if (!data) return;
    put(chosen, ["harness", "project", "model"].filter((name) => state[name]).map((name) =>
      h("button", { type: "button", title: "Take this filter away", onclick: () => set(name, "") }, `${name}: ${state[name]} ✕`)));
    if (data.days.rows.length === 0) {
      put(content, empty("No usage is stored for this.",
        state.since || state.harness || state.project || state.model ? "Choose a longer time, or take a filter away." : "Harnesses write tokens down as they answer; once a session has some, they are counted here."));
      return;
    }
    const metric = METRICS[state.metric];
    const names = shortPaths(data.projects.rows.map((row) => row.key));
    put(content, totals(data), time(data, metric), h("div", { class: "halves" },
      ranked("By model", "model", data.models.rows, metric, (key) => key, (key) => set("model", key)),
      ranked("By project", "project", data.projects.rows, metric, (key) => names.get(key) || "without a folder", (key) => set("project", key)),
      ranked("By harness", "harness", data.harnesses.rows, metric, (key) => key, (key) => set("harness", key)),
      fiveHours(data.blocks.rows, metric)),
    heatMap(data.heat, metric), week(data.heat.hours), notes(data.days));
  }

  await load();
}

/** The unit that gives a readable number of columns. */
function fitting(days) {
  if (days.length === 0) return "day";
  const span = (Date.parse(days.at(-1)) - Date.parse(days[0])) / 86_400_000;
  return span > 900 ? "month" : span > 130 ? "week" : "day";
}

function totals({ days: { total } }) {
  const facts = [["Tokens", number(total.totalTokens)], ["Cost", cost(total.costUsd)], ["Responses", number(total.responses)], ["Input", short(total.inputTokens)],
    ["From cache", short(total.cachedInputTokens)], ["Written to cache", short(total.cacheWriteTokens)], ["Output", short(total.outputTokens)], ["of it reasoning", short(total.reasoningTokens)]];
  return h("dl", { class: "facts-line big" }, facts.map(([name, value]) => h("div", { class: "fact-box" }, h("dt", {}, name), h("dd", {}, value))));
}

/** Every key from the first to the last, also those without a row. */
function without(unit, keys) {
  if (keys.length === 0) return keys;
  const sorted = keys.toSorted();
  const all = [];
  if (unit === "month") {
    let [year, month] = sorted[0].split("-").map(Number);
    for (let key = sorted[0]; key <= sorted.at(-1) && all.length < 1200;) {
      all.push(key);
      month += 1;
      if (month > 12) [year, month] = [year + 1, 1];
      key = `${year}-${String(month).padStart(2, "0")}`;
    }
    return all;
  }
  if (unit !== "day") return weeks(sorted);
  const last = Date.parse(`${sorted.at(-1)}T00:00:00Z`);
  for (let day = Date.parse(`${sorted[0]}T00:00:00Z`); day <= last && all.length < 4000; day += 86_400_000) all.push(new Date(day).toISOString().slice(0, 10));
  return all;
}

/** ISO weeks between two, such as `2026-W07`. */
function weeks(sorted) {
  const monday = (key) => {
    const [year, week] = key.split("-W").map(Number);
    const fourth = new Date(Date.UTC(year, 0, 4));
    return Date.UTC(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7);
  };
  const name = (time) => {
    const thursday = new Date(time + 3 * 86_400_000);
    const week = 1 + Math.floor((thursday - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * 86_400_000));
    return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
  };
  const all = [];
  for (let time = monday(sorted[0]); time <= monday(sorted.at(-1)) && all.length < 1000; time += 7 * 86_400_000) all.push(name(time));
  return all;
}

function time({ unit, stacked, days }, metric) {
  const keyed = stacked.rows.map((row) => ({ row, time: row.keys?.[unit] ?? row.key.split(" / ")[0], model: row.keys?.model ?? row.key.split(" / ")[1] }));
  const keys = without(unit, [...new Set(keyed.map((one) => one.time))]);
  const sums = new Map();
  for (const { row, model } of keyed) sums.set(model, (sums.get(model) ?? 0) + metric.of(row));
  const names = [...sums.keys()].toSorted((a, b) => sums.get(b) - sums.get(a));
  const own = names.slice(0, names.length > SERIES + 1 ? SERIES : SERIES + 1);
  const at = new Map(keys.map((key, n) => [key, n]));
  // A model keeps its colour, whatever is measured.
  const tokens = new Map();
  for (const { row, model } of keyed) tokens.set(model, (tokens.get(model) ?? 0) + row.totalTokens);
  const ranked = [...tokens.keys()].toSorted((a, b) => tokens.get(b) - tokens.get(a));
  const series = own.map((name) => ({ name, color: (ranked.indexOf(name) % (SERIES + 1)) + 1, values: new Array(keys.length).fill(0) }));
  const rest = { name: `${names.length - own.length} more`, color: 8, values: new Array(keys.length).fill(0) };
  const totals = keys.map((key) => ({ key, totalTokens: 0, costUsd: null, responses: 0 }));
  for (const { row, time: when, model } of keyed) {
    const n = at.get(when);
    (series[own.indexOf(model)] ?? rest).values[n] += metric.of(row);
    totals[n].totalTokens += row.totalTokens;
    totals[n].responses += row.responses;
    if (row.costUsd !== null && row.costUsd !== undefined) totals[n].costUsd = (totals[n].costUsd ?? 0) + row.costUsd;
  }
  if (names.length > own.length) series.push(rest);
  const label = `${metric.name} by ${unit} and model`;
  return h("section", { class: "pair" }, h("h2", {}, label),
    h("div", {}, columns({ label, keys, series, format: metric.format, short: (key) => (unit === "day" ? key.slice(5) : key) }), legend(series)),
    h("div", { class: "plot-table", tabindex: 0, role: "group", "aria-label": `${label}, as a table` }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, unit[0].toUpperCase() + unit.slice(1)), h("th", { scope: "col", class: "r" }, "Tokens"), h("th", { scope: "col", class: "r" }, "Cost"), h("th", { scope: "col", class: "r" }, "Responses"))),
      h("tbody", {}, totals.filter((row) => row.responses > 0).toReversed().map((row) => h("tr", {}, h("th", { scope: "row" }, row.key), h("td", { class: "r", title: number(row.totalTokens) }, short(row.totalTokens)), h("td", { class: "r" }, cost(row.costUsd)), h("td", { class: "r" }, number(row.responses)))),
    ))), unit === "day" && days.rows.length === 1 && h("p", { class: "note" }, "There is one day so far."));
}

function ranked(title, kind, rows, metric, shown, choose) {
  const sorted = rows.toSorted((a, b) => metric.of(b) - metric.of(a)).slice(0, 15);
  const max = Math.max(...sorted.map(metric.of), 0) || 1;
  return h("section", { class: "ranked" }, h("h2", {}, title),
    h("div", { class: "wide" }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, kind[0].toUpperCase() + kind.slice(1)), h("td", { class: "bars" }), h("th", { scope: "col", class: "r" }, "Tokens"), h("th", { scope: "col", class: "r" }, "Cost"), h("th", { scope: "col", class: "r" }, "Responses"))),
      h("tbody", {}, sorted.map((row) => h("tr", {},
        h("th", { scope: "row" }, h("button", { type: "button", class: "quiet", title: `${row.key || "without one"}: show only this`, onclick: () => choose(row.key) }, shown(row.key ?? "") || "–")),
        h("td", { class: "bars", title: metric.whole(metric.of(row)) }, bar(metric.of(row) / max)),
        h("td", { class: "r", title: number(row.totalTokens) }, short(row.totalTokens)), h("td", { class: "r" }, cost(row.costUsd)), h("td", { class: "r" }, number(row.responses))))))),
    rows.length > sorted.length && h("p", { class: "note" }, `and ${rows.length - sorted.length} more with less`));
}

/** Tokens a minute from the first to the last response of a block. */
function rate(row) {
  const minutes = (Date.parse(row.last) - Date.parse(row.first)) / 60_000;
  return Number.isFinite(minutes) ? row.totalTokens / Math.max(1, minutes) : null;
}

function fiveHours(rows, metric) {
  const last = rows.slice(-15).toReversed();
  const max = Math.max(...last.map(metric.of), 0) || 1;
  return h("section", { class: "ranked" }, h("h2", {}, "Blocks of five hours ", h("small", {}, "as subscriptions count them")),
    h("div", { class: "wide" }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "From"), h("td", { class: "bars" }), h("th", { scope: "col", class: "r" }, "Tokens"), h("th", { scope: "col", class: "r" }, "Cost"), h("th", { scope: "col", class: "r", title: "While it went on" }, "Tokens a minute"))),
      h("tbody", {}, last.map((row) => h("tr", {}, h("th", { scope: "row" }, row.key),
        h("td", { class: "bars", title: metric.whole(metric.of(row)) }, bar(metric.of(row) / max, 3)),
        h("td", { class: "r", title: number(row.totalTokens) }, short(row.totalTokens)), h("td", { class: "r" }, cost(row.costUsd)), h("td", { class: "r" }, short(rate(row)))))))),
    rows.length > last.length && h("p", { class: "note" }, `and ${number(rows.length - last.length)} earlier ones`));
}

function heatMap(heat, metric) {
  const known = new Map(heat.days.map((day) => [day.date, day]));
  const dates = without("day", heat.days.map((day) => day.date)).slice(-53 * 7);
  const days = dates.map((date) => ({ date, value: known.has(date) ? metric.of(known.get(date)) : 0 }));
  const most = heat.days.toSorted((a, b) => metric.of(b) - metric.of(a)).slice(0, 7);
  const label = `${metric.name} of each day`;
  return h("section", { class: "pair" }, h("h2", {}, label),
    calendar({ label, days, format: (value) => (value > 0 ? `${metric.whole(value)}${metric.name === "Cost" ? "" : ` ${metric.name.toLowerCase()}`}` : "nothing") }),
    h("div", { class: "plot-table" }, h("table", { class: "rows" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Busiest days"), h("th", { scope: "col", class: "r" }, metric.name))),
      h("tbody", {}, most.map((day) => h("tr", {}, h("th", { scope: "row" }, day.date), h("td", { class: "r" }, metric.whole(metric.of(day)))))))));
}

/** The hours of the week are a table that is coloured: its numbers can be read. */
function week(hours) {
  const max = Math.max(...hours.flat(), 0);
  const level = (value) => (!(value > 0) ? 0 : Math.min(5, 1 + Math.floor(Math.sqrt(value / max) * 4.999)));
  return h("section", {}, h("h2", {}, "Responses by hour of the week"),
    h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Responses by hour of the week" }, h("table", { class: "hours" },
      h("thead", {}, h("tr", {}, h("td", {}), Array.from({ length: 24 }, (_, hour) => h("th", { scope: "col" }, String(hour).padStart(2, "0"))))),
      h("tbody", {}, hours.map((row, day) => h("tr", {}, h("th", { scope: "row" }, DAYS[day]), row.map((value, hour) =>
        h("td", { class: `l${level(value)}`, title: `${DAYS[day]}, ${hour}:00 to ${hour + 1}:00: ${count(value, "response")}` }, value > 0 ? short(value) : ""))))))));
}

function notes({ unpricedModels = [], notes: told = [] }) {
  return h("div", { class: "note notes" },
    told.map((line) => h("p", {}, line)),
    unpricedModels.length > 0 && h("p", {}, `No price is known for ${unpricedModels.join(", ")}: their tokens count, their cost does not.`),
    h("p", {}, "Every response is counted once, whichever files repeat it. The same numbers: ", h("code", {}, "recount usage --by day,model"), "."));
}
