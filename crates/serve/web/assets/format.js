// Numbers and times as people read them.

const whole = new Intl.NumberFormat("en");
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

/** Milliseconds as `340 ms`, `12 s`, `3 min`, `2 h 5 min`. */
export function duration(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toPrecision(2))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}

/** A moment, whether given in ISO 8601 or in seconds. Null when it is none. */
export function moment(value) {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(typeof value === "number" ? (value < 1e11 ? value * 1000 : value) : value);
  return Number.isNaN(date.getTime()) ? null : date;
}

const two = (value) => String(value).padStart(2, "0");
export const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
export const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}`;
export const clockSeconds = (date) => `${clock(date)}:${two(date.getSeconds())}`;

/** Day and time in the browser's time zone. */
export function when(value) {
  const date = moment(value);
  return date ? `${day(date)} ${clock(date)}` : "";
}

/** How long ago: `now`, `5 min`, `3 h`, `4 d`, else the date. */
export function age(value) {
  const date = moment(value);
  if (!date) return "";
  const seconds = (Date.now() - date.getTime()) / 1000;
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d`;
  return day(date);
}

/** The last part of a path. */
export const base = (path) => (path ?? "").split(/[/\\]/).findLast((part) => part !== "") ?? "";

/** Tokens of a row of usage, told in one line. */
export function tokens(row) {
  const parts = [[row.inputTokens, "in"], [row.cachedInputTokens, "cached"], [row.cacheWriteTokens, "written to cache"], [row.outputTokens, "out"]];
  return parts.filter(([value]) => value > 0).map(([value, name]) => `${short(value)} ${name}`).join(" · ");
}
