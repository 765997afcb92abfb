// Numbers and times as people read them.

const whole = new Intl.NumberFormat("en");
const two = (value) => String(value).padStart(2, "0");
const UNITS = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/** A whole number with separators. */
export const number = (value) => (value === null || value === undefined ? "–" : whole.format(value));

/** A number in few signs: `1.2k`, `34M`. */
export function short(value) {
  if (value === null || value === undefined) return "–";
  for (const [size, unit] of UNITS) {
    if (value >= size) {
      const scaled = value / size;
      return `${scaled >= 100 ? Math.round(scaled) : Number(scaled.toPrecision(2))}${unit}`;
    }
  }
  return String(Math.round(value * 100) / 100);
}

/** Dollars. Nothing is known about unpriced models: a dash, not zero. */
export function cost(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "$0";
  if (value < 0.01) return "<$0.01";
  return value >= 1000 ? `$${whole.format(Math.round(value))}` : `$${value.toFixed(2)}`;
}

export function size(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  if (bytes < 1000) return `${bytes} B`;
  for (const [step, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (bytes >= step) return `${Number((bytes / step).toPrecision(2))} ${unit}`;
  }
  return "";
}

/** So many things of a kind. */
export const count = (amount, one, many = `${one}s`) => `${number(amount)} ${amount === 1 ? one : many}`;

/** Milliseconds as the rest of recount writes them: `12ms`, `0.3s`, `42s`, `3m 05s`, `1h 12m`. */
export function duration(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "";
  const whole = Math.max(0, ms);
  const seconds = Math.round(whole / 1000);
  if (whole < 100) return `${Math.round(whole)}ms`;
  if (whole < 9950) return `${(whole / 1000).toFixed(1)}s`;
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`;
  return `${Math.floor(seconds / 86_400)}d ${two(Math.floor((seconds % 86_400) / 3600))}h`;
}

/** A moment, whether given in ISO 8601 or in seconds. Null when it is none. */
export function moment(value) {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(typeof value === "number" ? (value < 1e11 ? value * 1000 : value) : value);
  return Number.isNaN(date.getTime()) ? null : date;
}

export const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
export const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}`;
export const clockSeconds = (date) => `${clock(date)}:${two(date.getSeconds())}`;

/** Day and time in the browser's time zone. */
export function when(value) {
  const date = moment(value);
  return date ? `${day(date)} ${clock(date)}` : "";
}

/** How long ago, as the rest of recount writes it: `now`, `5m`, `3h`, `4d`, `6w`, `1y`. */
export function age(value) {
  const date = moment(value);
  if (!date) return "";
  const seconds = Math.floor((Date.now() - date.getTime()) / 1000);
  if (seconds < -60) return "ahead";
  if (seconds < 60) return "now";
  for (const [most, step, unit] of [[3600, 60, "m"], [86_400, 3600, "h"], [14 * 86_400, 86_400, "d"], [31_557_600, 604_800, "w"], [Infinity, 31_557_600, "y"]]) {
    if (seconds < most) return `${Math.floor(seconds / step)}${unit}`;
  }
  return "";
}

/** The last part of a path. */
export const base = (path) => (path ?? "").split(/[/\\]/).findLast((part) => part !== "") ?? "";

/** Tokens of a row of usage, told in one line. */
export function tokens(row) {
  const parts = [[row.inputTokens, "in"], [row.cachedInputTokens, "cached"], [row.cacheWriteTokens, "written to cache"], [row.outputTokens, "out"]];
  return parts.filter(([value]) => value > 0).map(([value, name]) => `${short(value)} ${name}`).join(" · ");
}

/** Names for paths: their last part, or the last two or three where that would be the same for several. */
export function shortPaths(paths) {
  const last = (path, parts) => path.split(/[/\\]/).filter(Boolean).slice(-parts).join("/");
  const names = new Map();
  for (let parts = 1, left = [...new Set(paths.filter(Boolean))]; left.length > 0; parts += 1) {
    const seen = Map.groupBy(left, (path) => last(path, parts));
    left = [];
    for (const [name, same] of seen) {
      if (same.length === 1 || parts === 3) for (const path of same) names.set(path, name || path);
      else left.push(...same);
    }
  }
  return names;
}
