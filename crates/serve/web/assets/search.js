// Search in everything that was said and done.

import { address, get } from "./api.js";
import { debounce, empty, entitle, failed, h, put, readdress, snippet } from "./dom.js";
import { base, count, number, when } from "./format.js";
import { keys } from "./keys.js";

const PART = 50;

export default async function search(main) {
  let text = new URLSearchParams(location.search).get("q") ?? "";
  let asked = 0;
  let later;
  const field = h("input", { type: "search", value: text, placeholder: "What was said or done", "aria-label": "Search in all sessions", autocomplete: "off", spellcheck: "false" });
  const told = h("p", { class: "count", "aria-live": "polite" });
  const list = h("section", { class: "hits", "aria-label": "Hits" });
  put(main, h("div", { class: "bar" }, h("h1", {}, "Search"), field, told), list);
  // One field is enough.
  document.querySelector("header.top form.search")?.classList.add("spare");

  const draw = (hits) => {
    let last = null;
    let shown = 0;
    return hits.map((hit, n) => {
      const isNew = hit.id !== last;
      shown = isNew ? 1 : shown + 1;
      last = hit.id;
      const isLast = hits[n + 1] ? hits[n + 1].id !== hit.id : hits.length < PART;
      return [
        isNew && h("h2", {}, h("a", { href: `/s/${encodeURIComponent(hit.id)}`, dir: "auto" }, hit.title || "Without a title"), " ",
          h("small", {}, [hit.harness, base(hit.project)].filter(Boolean).join(" · "))),
        h("a", { class: "hit", href: address(hit) },
          h("span", { class: "role" }, hit.role ?? ""), h("span", { class: "text", dir: "auto" }, snippet(hit.snippet)), h("time", {}, when(hit.time))),
        isLast && hit.inSession > shown && h("p", { class: "note" }, `${shown} of ${number(hit.inSession)} hits in this session · `,
          h("a", { href: `/s/${encodeURIComponent(hit.id)}?find=${encodeURIComponent(text)}` }, "find them there")),
      ];
    });
  };

  async function load(offset = 0) {
    const turn = ++asked;
    entitle(text || "Search");
    if (!text) {
      put(told);
      put(list, empty("Search in every session at once.",
        "Words are found wherever they stand together in an item. ", h("code", {}, "\"two words\""), " is a phrase, ", h("code", {}, "pref*"), " a beginning; ",
        h("code", {}, "harness:pi"), ", ", h("code", {}, "project:shop"), ", ", h("code", {}, "role:user"), " narrow it down."));
      return;
    }
    try {
      const answer = await get("search", { q: text, limit: PART, offset });
      if (turn !== asked) return;
      put(told, h("b", {}, count(answer.all, "hit")), answer.fuzzy && " for words that look like yours", answer.error && [" · ", h("span", { class: "warn" }, answer.error)],
        answer.indexing && " · sessions are still being read, more may be found");
      clearTimeout(later);
      if (answer.indexing && offset === 0) later = setTimeout(() => load(), 2000);
      if (answer.hits.length === 0 && offset === 0) {
        put(list, answer.indexing
          ? empty("Sessions are being read for the first time.", "What is found appears here by itself.")
          : empty(`Nothing was found for “${text}”.`, "Fewer or other words may help."));
        return;
      }
      if (offset === 0) put(list);
      list.querySelector(".more-rows")?.remove();
      list.append(...draw(answer.hits).flat().filter(Boolean));
      const shown = offset + answer.hits.length;
      if (shown < answer.total && answer.hits.length > 0) {
        list.append(h("p", { class: "more-rows" }, h("button", { type: "button", onclick: () => load(shown) }, `Show ${Math.min(PART, answer.total - shown)} more of ${number(answer.total)}`)));
      }
    } catch (error) {
      if (turn === asked && error.name !== "AbortError") put(list, failed(error, () => load(offset)));
    }
  }

  field.addEventListener("input", debounce(120, () => {
    text = field.value.trim();
    readdress(text ? `/search?q=${encodeURIComponent(text)}` : "/search");
    load();
  }));
  const step = (by) => () => {
    const links = [...list.querySelectorAll("a.hit")];
    const at = links.indexOf(document.activeElement);
    const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      step(1)();
    }
  });
  keys("Search", [["j, ArrowDown", "next hit", step(1)], ["k, ArrowUp", "previous hit", step(-1)], ["Enter", "open it"]]);
  await load();
  if (!text) field.focus();
}
