// The time axis of a session: minutes and days in which nothing happened are folded to a narrow gap.

const LONG = 60_000;
const GAP = 0.012;

export class Axis {
  /** `busy` is `[[start, end]]` in milliseconds, in any order. */
  constructor(busy, fold) {
    const sorted = busy.filter(([start, end]) => Number.isFinite(start) && Number.isFinite(end)).toSorted((a, b) => a[0] - b[0]);
    this.pieces = [];
    for (const [start, end] of sorted) {
      const last = this.pieces.at(-1);
      if (last && (!fold || start - last.end < LONG)) last.end = Math.max(last.end, end);
      else this.pieces.push({ start, end: Math.max(end, start) });
    }
    if (this.pieces.length === 0) this.pieces.push({ start: 0, end: 1 });
    const time = this.pieces.reduce((sum, piece) => sum + Math.max(1000, piece.end - piece.start), 0);
    const gaps = this.pieces.length - 1;
    const gap = gaps > 0 ? Math.min(GAP, 0.3 / gaps) : 0;
    let from = 0;
    for (const piece of this.pieces) {
      piece.from = from;
      piece.width = (Math.max(1000, piece.end - piece.start) / time) * (1 - gap * gaps);
      from += piece.width + gap;
    }
  }

  /** Where a moment is, from 0 to 1. */
  at(time) {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.pieces[middle].start <= time) low = middle;
      else high = middle - 1;
    }
    const piece = this.pieces[low];
    const length = Math.max(1000, piece.end - piece.start);
    return piece.from + piece.width * Math.max(0, Math.min(1, (time - piece.start) / length));
  }

  /** What was folded, as `{ from, width, ms }`. */
  get gaps() {
    return this.pieces.slice(1).map((piece, n) => {
      const before = this.pieces[n];
      return { from: before.from + before.width, width: piece.from - before.from - before.width, ms: piece.start - before.end };
    });
  }

  /** Round moments to write under the part from `from` to `to` of the axis, so many that each has `room`. */
  marks(from, to, room) {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000].map((seconds) => seconds * 1000);
    const all = [];
    for (const piece of this.pieces) {
      if (piece.from + piece.width < from || piece.from > to || piece.width <= 0) continue;
      const perMs = piece.width / Math.max(1000, piece.end - piece.start);
      const step = steps.find((ms) => ms * perMs >= room) ?? Infinity;
      const last = all.at(-1);
      if (!last || piece.from - last.at >= room) all.push({ at: piece.from, time: piece.start });
      if (step === Infinity) continue;
      for (let time = Math.ceil(piece.start / step) * step; time <= piece.end; time += step) {
        const at = this.at(time);
        if (at - all.at(-1).at >= room && at >= from && at <= to) all.push({ at, time });
      }
    }
    return all.filter((mark) => mark.at >= from && mark.at <= to);
  }
}
