// A list of any length of which only what is in sight, and some around it, is in the document. The window scrolls; rows
// have any height, measured when they are drawn. Whatever turns out to be higher or lower above what a person looks at,
// what is looked at stays where it is.

import { Heights } from "./heights.js";

const PART = 50;
const KEPT_PARTS = 60;
const AROUND = 1200;
const GUESS = 64;

export class Stream {
  /**
   * `box` holds the rows; `fetch(from, limit, signal)` gives `{ items, total }`; `draw(item, index)` makes a row;
   * `changed()` is called after rows came or went.
   */
  constructor(box, { fetch, draw, changed, failed }) {
    Object.assign(this, { box, fetch, draw, changed, failed });
    this.heights = new Heights(0, GUESS);
    this.parts = new Map();
    this.asking = new Map();
    this.nodes = new Map();
    this.pin = null;
    this.frame = 0;
    this.sizes = new ResizeObserver((entries) => this.measured(entries));
    const soon = () => this.soon();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    // Whoever scrolls by hand leaves the place that was gone to.
    for (const kind of ["wheel", "touchmove", "pointerdown"]) addEventListener(kind, () => { this.pin = null; }, { passive: true });
    addEventListener("keydown", (event) => {
      if (["PageDown", "PageUp", "Home", "End", "ArrowDown", "ArrowUp", " "].includes(event.key)) this.pin = null;
    }, true);
  }

  get total() {
    return this.heights.length;
  }

  /** Sets how many rows there are. */
  resize(total) {
    this.heights.resize(total);
    for (const [index, node] of this.nodes) if (index >= total) this.drop(index, node);
    this.soon();
  }

  /** Forgets everything. */
  reset(total) {
    for (const [index, node] of this.nodes) this.drop(index, node);
    for (const control of this.asking.values()) control.abort();
    this.asking.clear();
    this.parts.clear();
    this.heights = new Heights(total, GUESS);
    this.soon();
  }

  /** What is known from a row on may be old: asks again for what is in sight, and forgets the rest. */
  stale(from) {
    for (const [part, items] of this.parts) {
      if ((part + 1) * PART <= from) continue;
      items.stale = true;
    }
    for (const [part, control] of this.asking) {
      if ((part + 1) * PART <= from) continue;
      control.abort();
      this.asking.delete(part);
    }
    this.soon();
  }

  /** The item at an index, when it was fetched. */
  item(index) {
    return this.parts.get(Math.floor(index / PART))?.[index % PART];
  }

  node(index) {
    return this.nodes.get(index);
  }

  /** Draws all rows that are in sight again. */
  redraw() {
    for (const [index, node] of this.nodes) this.drop(index, node);
    this.soon();
  }

  /** Goes to a row; it stays at that place until a person scrolls. */
  go(index, below = 16) {
    this.pin = { index: Math.max(0, Math.min(index, this.total - 1)), below };
    this.layout();
  }

  /** Goes to the end and stays there while rows are added. */
  goEnd() {
    this.pin = { end: true };
    this.layout();
  }

  get isAtEnd() {
    return innerHeight + scrollY >= document.documentElement.scrollHeight - 40;
  }

  /** The first row in sight. */
  get first() {
    return this.total === 0 ? -1 : this.heights.at(scrollY + this.inset - this.top);
  }

  /** The row that is read: the one a little below the upper edge. */
  get reading() {
    return this.total === 0 ? -1 : this.heights.at(scrollY + this.inset - this.top + 90);
  }

  get top() {
    return this.box.getBoundingClientRect().top + scrollY;
  }

  /** How much of the window what sticks to its top covers. */
  get inset() {
    return this.cover?.getBoundingClientRect().bottom ?? 0;
  }

  soon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.layout();
    });
  }

  drop(index, node) {
    this.sizes.unobserve(node);
    node.remove();
    this.nodes.delete(index);
  }

  measured(entries) {
    let differs = false;
    for (const { target } of entries) {
      const index = Number(target.dataset.index);
      if (this.nodes.get(index) === target && Math.abs(target.getBoundingClientRect().height - this.heights.of(index)) > 0.5) differs = true;
    }
    if (differs) this.layout();
  }

  layout() {
    if (this.total === 0) {
      this.box.style.paddingTop = "0";
      this.box.style.paddingBottom = "0";
      return;
    }
    let rounds = 0;
    while (this.pass() && (rounds += 1) < 4);
    // Rows that are much lower than believed need more of them.
    if (rounds === 4) this.soon();
    this.ask();
    this.changed?.();
  }

  /** Draws what belongs in sight once. Tells whether heights turned out other than believed. */
  pass() {
    const { heights } = this;
    const top = this.top;
    const inset = this.inset;
    const edge = scrollY + inset - top;
    const anchor = this.pin?.end ? null
      : this.pin ? { index: this.pin.index, offset: -this.pin.below }
        : { index: heights.at(edge), offset: edge - heights.before(heights.at(edge)) };
    const wanted = anchor ? heights.before(anchor.index) + anchor.offset : heights.total - innerHeight + inset;
    const first = heights.at(wanted - inset - AROUND);
    const last = heights.at(wanted + innerHeight + AROUND);
    for (const [index, node] of this.nodes) if (index < first || index > last) this.drop(index, node);
    let next = null;
    for (let index = last; index >= first; index -= 1) {
      const item = this.item(index);
      let node = this.nodes.get(index);
      if (node && node.of !== item && item) {
        this.drop(index, node);
        node = null;
      }
      if (!node) {
        node = item ? this.draw(item, index) : this.blank(index);
        node.of = item;
        node.dataset.index = index;
        this.nodes.set(index, node);
        this.box.insertBefore(node, next);
        this.sizes.observe(node);
      }
      next = node;
    }
    let differs = false;
    for (const [index, node] of this.nodes) {
      if (Math.abs(heights.set(index, node.getBoundingClientRect().height)) > 0.5) differs = true;
    }
    const above = heights.before(first);
    this.box.style.paddingTop = `${above}px`;
    this.box.style.paddingBottom = `${Math.max(0, heights.total - heights.before(last + 1))}px`;
    const place = anchor ? heights.before(anchor.index) + anchor.offset + top - inset : document.documentElement.scrollHeight - innerHeight;
    if (Math.abs(place - scrollY) > 0.5 && (this.pin || differs)) scrollTo({ top: place, behavior: "instant" });
    return differs;
  }

  blank(index) {
    const node = document.createElement("article");
    node.className = "item blank";
    node.style.height = `${this.heights.of(index)}px`;
    return node;
  }

  /** Fetches what is drawn and not there, and leaves alone what is no longer wanted. */
  ask() {
    const wanted = new Set();
    for (const index of this.nodes.keys()) {
      const part = Math.floor(index / PART);
      const items = this.parts.get(part);
      // A part that is being fetched stays wanted.
      if (this.asking.has(part)) wanted.add(part);
      else if (!items || items.stale || (items.length < PART && part * PART + items.length < this.total)) wanted.add(part);
    }
    for (const [part, control] of this.asking) {
      if (wanted.has(part)) continue;
      control.abort();
      this.asking.delete(part);
    }
    for (const part of wanted) if (!this.asking.has(part)) this.load(part);
  }

  async load(part) {
    const control = new AbortController();
    this.asking.set(part, control);
    try {
      // The server gives fewer than asked for when they are large.
      let items = [];
      for (let isWhole = false; !isWhole;) {
        const from = part * PART + items.length;
        const answer = await this.fetch(from, PART - items.length, control.signal);
        if (this.asking.get(part) !== control) return;
        items = [...items, ...answer.items];
        isWhole = items.length >= PART || answer.items.length === 0 || part * PART + items.length >= answer.total;
        if (isWhole) this.asking.delete(part);
        this.take(part, items);
        if (answer.total !== this.total) this.resize(answer.total);
        this.layout();
      }
    } catch (error) {
      if (this.asking.get(part) === control) this.asking.delete(part);
      if (error.name !== "AbortError") this.failed?.(error);
    }
  }

  /** Keeps fetched items; rows whose item did not change stay as they are, unfolded or not. */
  take(part, items) {
    const before = this.parts.get(part);
    this.parts.delete(part);
    this.parts.set(part, items.map((item, n) => {
      const old = before?.[n];
      return old && old.id === item.id && old.html === item.html && old.status === item.status && old.turn === item.turn ? old : item;
    }));
    // The oldest parts go, but none that is in sight.
    const seen = new Set([...this.nodes.keys()].map((index) => Math.floor(index / PART)));
    for (const key of this.parts.keys()) {
      if (this.parts.size <= KEPT_PARTS) break;
      if (!seen.has(key)) this.parts.delete(key);
    }
  }

  /** Waits until the row at an index is drawn. */
  async whenDrawn(index) {
    for (let tries = 0; tries < 200; tries += 1) {
      const node = this.nodes.get(index);
      if (node?.of) return node;
      await new Promise((resume) => { setTimeout(resume, 25); });
    }
    return null;
  }
}
