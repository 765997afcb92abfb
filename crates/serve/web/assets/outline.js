// The side of a session: its turns, its branches as a small tree, and what was found.

import { h, put, s, snippet } from "./dom.js";
import { count, number } from "./format.js";

const ROW = 30;

/** The turns, of which only those in sight are in the document: a session may have thousands. */
export class Turns {
  constructor(go) {
    this.go = go;
    this.turns = [];
    this.current = -1;
    this.inner = h("ol", {});
    this.box = h("nav", { class: "turns", "aria-label": "Turns", tabindex: 0 }, this.inner);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  set(turns, isLive) {
    this.turns = turns;
    this.isLive = isLive;
    this.inner.style.height = `${turns.length * ROW}px`;
    this.draw();
  }

  mark(turn) {
    if (turn === this.current) return;
    this.current = turn;
    const top = turn * ROW;
    if (!this.box.matches(":hover") && (top < this.box.scrollTop || top + ROW > this.box.scrollTop + this.box.clientHeight)) {
      this.box.scrollTop = top - this.box.clientHeight / 2;
    }
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5);
    const last = Math.min(this.turns.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 5);
    const rows = [];
    for (let at = first; at < last; at += 1) {
      const turn = this.turns[at];
      rows.push(h("li", { value: at + 1, vars: { at: `${at * ROW}px` } },
        h("a", {
          href: `#turn-${at + 1}`, title: turn.prompt, "aria-current": at === this.current ? "true" : undefined,
          onclick: (event) => {
            event.preventDefault();
            this.go(turn, at);
          },
        }, h("span", { class: "n" }, at + 1), h("span", { class: "text", dir: "auto" }, turn.prompt || "—"),
        turn.status === "failed" && h("span", { class: "bad", title: "failed" }, "✗"),
        turn.status === "interrupted" && h("span", { class: "warn", title: "interrupted" }, "◼"),
        turn.status === "inProgress" && (this.isLive ? h("span", { class: "live", title: "going on" }) : h("span", { class: "warn", title: "did not end" }, "…")))));
    }
    const focused = this.inner.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    put(this.inner, rows);
    if (focused) this.inner.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
  }
}

const prompts = (branch) => (Array.isArray(branch.abandonedPrompts) ? branch.abandonedPrompts : []);

/** What a branch is called: its name, or what was asked first in it. */
export const branchName = (branch) => branch.name || (branch.active ? "Current branch" : prompts(branch)[0] || "A branch that was left");

/** The branches of a thread: a trunk, and what leaves it where. */
export function branches(all, chosen, address) {
  if (all.length < 2) return null;
  const current = all.find((branch) => branch.leaf === chosen) ?? all.find((branch) => branch.active);
  const rows = all.toSorted((a, b) => Number(b.active) - Number(a.active) || (a.forkAt ?? 0) - (b.forkAt ?? 0));
  return h("section", { class: "branches" }, h("h2", {}, count(all.length, "branch", "branches")),
    h("ul", {}, rows.map((branch, n) => {
      const last = n === rows.length - 1;
      const line = s("svg", { class: "fork", viewBox: "0 0 26 34", width: 26, height: 34, "aria-hidden": "true" },
        s("path", { d: n === 0 ? "M7 17V34" : `M7 0V${last ? 6 : 34}M7 6Q7 17 17 17` }),
        s("circle", { cx: n === 0 ? 7 : 19, cy: 17, r: 4, class: branch === current ? "here" : "" }));
      const name = branchName(branch);
      const facts = [
        branch.active ? "where the session went on" : prompts(branch).length > 0 && count(prompts(branch).length, "prompt"),
        branch.forkAt !== null && branch.forkAt !== undefined && !branch.active && `leaves at item ${number(branch.forkAt + 1)}`,
      ].filter(Boolean).join(", ");
      return h("li", {}, line,
        h("a", { href: address(branch), "aria-current": branch === current ? "true" : undefined, "data-leaf": branch.leaf, title: `${name}\nends at ${branch.leaf}` },
          h("span", { class: "text", dir: "auto" }, name), facts && h("small", {}, facts)));
    })));
}

/** What was found, one line each. */
export function matches(found, at, go) {
  return h("ol", { class: "matches", "aria-label": "Matches" }, found.slice(0, 300).map((match, n) => h("li", {},
    h("a", {
      href: `#item-${encodeURIComponent(match.id)}`, dir: "auto", "aria-current": n === at ? "true" : undefined,
      onclick: (event) => {
        event.preventDefault();
        go(n);
      },
    }, snippet(match.snippet)))));
}
