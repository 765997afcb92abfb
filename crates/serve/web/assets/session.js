// One session: its items in a stream, its turns and branches beside it, find, live updates, keys.

import { get, listen, session as part } from "./api.js";
import { debounce, empty, entitle, failed, h, put, readdress, remember, say, toast } from "./dom.js";
import { highlight, reveal } from "./find.js";
import { count, number } from "./format.js";
import { head } from "./head.js";
import { anchor, body, copy, gutter, turnError, turnHead } from "./item.js";
import { keys } from "./keys.js";
import { nested } from "./nested.js";
import { branches, branchName, matches, Turns } from "./outline.js";
import { Stream } from "./stream.js";

const MOST_PRINTED = 3000;
const SERVER_PART = 100;

export default async function page(main) {
  const id = document.body.dataset.session;
  const api = part(id);
  const branch = new URLSearchParams(location.search).get("branch") ?? undefined;
  let meta = await get(api, { branch });
  entitle(meta.thread.title || "Session");

  const unfolded = new Map();
  const agents = new Map();
  let allOpen = false;
  let current = -1;
  let began = false;
  let found = { text: "", list: [], at: -1, total: 0 };
  let seenTotal = meta.items;

  // --- the parts of the page

  const top = h("div", { class: "session-head" });
  const box = h("div", { class: "stream", role: "feed", "aria-label": "Items", "aria-busy": "false" });
  const field = h("input", { type: "search", placeholder: "Find in this session", "aria-label": "Find in this session", autocomplete: "off", spellcheck: "false" });
  const told = h("output", { class: "found", "aria-live": "polite" });
  const previous = h("button", { type: "button", class: "icon", title: "Previous match (key: N)", "aria-label": "Previous match", onclick: () => match(-1), disabled: true }, "↑");
  const next = h("button", { type: "button", class: "icon", title: "Next match (key: n)", "aria-label": "Next match", onclick: () => match(1), disabled: true }, "↓");
  const openAll = h("button", { type: "button", "aria-pressed": "false", title: "Open or fold all tools and thoughts (key: o)", onclick: toggleAll }, "Open all");
  const talk = h("button", { type: "button", "aria-pressed": "false", title: "Only what was asked and answered, without tools and thoughts (key: m)", onclick: toggleTalk }, "Talk only");
  const newest = h("button", { type: "button", class: "newest", onclick: jumpToNewest }, "Jump to newest ↓");
  newest.hidden = true;
  const bar = h("div", { class: "session-bar" },
    h("div", { class: "finder" }, field, told, previous, next),
    talk, openAll,
    h("button", { type: "button", class: "extra", onclick: goStart, title: "To the beginning (keys: g g)" }, "Start"),
    h("button", { type: "button", class: "extra", onclick: jumpToNewest, title: "To the end (key: G)" }, "End"),
    h("button", { type: "button", class: "extra", onclick: print, title: "Print the whole session" }, "Print"));
  const turns = new Turns((turn, at) => goTurn(at));
  const turnsTitle = h("h2", {});
  const tree = h("div", {});
  const matchBox = h("section", { class: "matches-box" });
  matchBox.hidden = true;
  const side = h("details", { class: "side" }, h("summary", {}, "Turns and branches"), tree, matchBox, h("section", { class: "turns-box" }, turnsTitle, turns.box));
  side.open = matchMedia("(min-width: 60rem)").matches;
  put(main, top, h("div", { class: "columns session" }, side, h("div", { class: "content" }, bar, box)), newest);

  // --- rows

  function draw(item, index) {
    const before = stream.item(index - 1);
    const turn = meta.turns[item.turn];
    const isLast = turn && index === turn.firstItem + turn.itemCount - 1;
    const content = body(item, id, branch);
    const node = h("article", {
      class: "item", id: anchor(item.id), "data-type": item.type, tabindex: -1, "aria-posinset": index + 1, "aria-setsize": stream.total,
      "aria-label": `${name(item)}, item ${index + 1}`,
    },
    item.turnStart && turnHead(turn, item.turn + 1, meta.live),
    forkNotes(index),
    h("div", { class: "line" }, gutter(item, before, true), content),
    isLast && turnError(turn));
    if (item.subagentId && item.subagentId !== id) {
      if (!agents.has(item.id)) agents.set(item.id, nested(item.subagentId, meta.thread.lineage?.subagents?.find((agent) => agent.id === item.subagentId)?.name));
      node.append(agents.get(item.id));
    }
    if (index === current) node.classList.add("current");
    if (item.html.trim() === "") node.classList.add("nothing");
    if (TALK.has(item.type)) node.classList.add("said");
    content.querySelectorAll("details").forEach((details, n) => {
      details.open = unfolded.get(`${item.id}/${n}`) ?? allOpen;
      details.addEventListener("toggle", () => { if (details.isConnected && details.open !== (unfolded.get(`${item.id}/${n}`) ?? allOpen)) unfolded.set(`${item.id}/${n}`, details.open); });
    });
    return node;
  }

  const stream = new Stream(box, {
    fetch: (from, limit, signal) => get(`${api}/items`, { branch, from, limit }, signal),
    draw,
    changed: moved,
    failed: (error) => toast(error.message),
  });
  stream.cover = bar;

  const highlightSoon = debounce(60, () => highlight([...stream.nodes.values()].flatMap((node) => [...node.querySelectorAll(":scope > .line > .body")]), found.text));

  // Going back, or loading anew, leads to where one was.
  const keepPlace = debounce(250, () => {
    const at = stream.first;
    const node = stream.node(at);
    if (node) remember({ at, below: node.getBoundingClientRect().top - stream.inset });
  });

  function moved() {
    if (began) keepPlace();
    const read = stream.reading;
    turns.mark(stream.item(read)?.turn ?? turnOf(read));
    if (found.text) highlightSoon();
    if (stream.isAtEnd) {
      seenTotal = stream.total;
      newest.hidden = true;
    }
    box.setAttribute("aria-busy", String(stream.asking.size > 0));
  }

  function turnOf(index) {
    let low = 0;
    let high = meta.turns.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (meta.turns[middle].firstItem <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // --- branches

  const branchAddress = (other) => (other.active ? `/s/${encodeURIComponent(id)}` : `/s/${encodeURIComponent(id)}?branch=${encodeURIComponent(other.leaf)}`);
  let forks = new Map();

  const forkNotes = (index) => (forks.get(index) ?? []).map((other) => h("p", { class: "fork-note" }, "↳ ",
    h("a", { href: branchAddress(other) }, other.active ? "The current branch goes on here in another way" : `Another branch leaves here: ${branchName(other)}`)));

  function drawMeta() {
    head(top, meta, { id, branch });
    put(turnsTitle, count(meta.turns.length, "turn"));
    turns.set(meta.turns, meta.live);
    const tree2 = branches(meta.branches ?? [], branch, branchAddress);
    put(tree, tree2);
    forks = new Map();
    const here = (meta.branches ?? []).find((other) => other.leaf === branch) ?? (meta.branches ?? []).find((other) => other.active);
    for (const other of meta.branches ?? []) {
      if (other === here || other.forkAt === null || other.forkAt === undefined) continue;
      forks.set(other.forkAt, [...(forks.get(other.forkAt) ?? []), other]);
    }
  }

  // --- going somewhere

  function setCurrent(index, { focus = false } = {}) {
    if (index < 0 || index >= stream.total) return;
    stream.node(current)?.classList.remove("current");
    current = index;
    const node = stream.node(index);
    node?.classList.add("current");
    if (focus) node?.focus({ preventScroll: true });
  }

  async function goItem(index, { focus = true } = {}) {
    stream.go(index, 24);
    setCurrent(index);
    const node = await stream.whenDrawn(index);
    if (current === index) setCurrent(index, { focus });
    return node;
  }

  function goStart() {
    stream.pin = null;
    scrollTo({ top: 0, behavior: "instant" });
    setCurrent(0);
  }

  function goTurn(at) {
    const turn = meta.turns[at];
    if (!turn) return;
    goItem(turn.firstItem);
    if (!matchMedia("(min-width: 60rem)").matches) side.open = false;
  }

  /** Thoughts that a harness keeps to itself have no text. */
  const isNothing = (item) => (item.html.trim() === "" && !item.subagentId) || (onlyTalk && !TALK.has(item.type));

  const stepTurn = (by) => () => {
    const at = turnOf(Math.max(0, current >= 0 && stream.node(current) ? current : stream.reading));
    // Backwards goes to the beginning of the turn first.
    const here = current >= 0 ? current : stream.reading;
    goTurn(Math.max(0, Math.min(meta.turns.length - 1, by < 0 && here > meta.turns[at].firstItem ? at : at + by)));
  };

  const step = (by) => () => {
    const node = stream.node(current);
    const inSight = stream.pin?.index === current || node && node.getBoundingClientRect().bottom > 0 && node.getBoundingClientRect().top < innerHeight;
    let to = inSight ? current + by : Math.max(0, stream.first);
    while (stream.item(to) && isNothing(stream.item(to))) to += by;
    if (to < 0 || to >= stream.total) return;
    goItem(to);
  };

  async function goHash() {
    let wanted;
    try {
      wanted = decodeURIComponent(location.hash.slice(1));
    } catch {
      return false;
    }
    if (wanted.startsWith("turn-")) {
      goTurn(Number(wanted.slice(5)) - 1);
      return true;
    }
    if (!wanted.startsWith("item-")) return false;
    try {
      const { index } = await get(`${api}/items/${encodeURIComponent(wanted.slice(5))}`, { branch });
      const node = await goItem(index);
      node?.classList.add("arrived");
      return true;
    } catch (error) {
      toast(error.status === 404 ? "The item that the address names is not in this branch of the session" : error.message);
      return false;
    }
  }

  function toggleAll() {
    allOpen = !allOpen;
    unfolded.clear();
    openAll.setAttribute("aria-pressed", String(allOpen));
    openAll.textContent = allOpen ? "Fold all" : "Open all";
    for (const node of stream.nodes.values()) for (const details of node.querySelectorAll(".body details")) details.open = allOpen;
    stream.soon();
  }

  let onlyTalk = false;
  function toggleTalk() {
    onlyTalk = !onlyTalk;
    box.classList.toggle("talk", onlyTalk);
    talk.setAttribute("aria-pressed", String(onlyTalk));
    stream.soon();
  }

  const toggleCurrent = () => {
    const all = [...(stream.node(current)?.querySelectorAll(":scope > .line > .body details, :scope > details.nested") ?? [])];
    if (all.length === 0) return false;
    const open = !all.every((details) => details.open);
    for (const details of all) details.open = open;
    return true;
  };

  function jumpToNewest() {
    stream.goEnd();
    setCurrent(stream.total - 1);
    newest.hidden = true;
  }

  // --- find

  let asked = 0;
  const search = debounce(150, async () => {
    const text = field.value.trim();
    const turn = ++asked;
    if (!text) {
      clear();
      return;
    }
    put(told, "…");
    try {
      const answer = await get(`${api}/find`, { branch, q: text });
      if (turn !== asked) return;
      found = { text, list: answer.matches, at: -1, total: answer.total, truncated: answer.truncated };
      const from = Math.max(0, stream.first);
      if (found.list.length > 0) {
        const first = found.list.findIndex((one) => one.index >= from);
        await goMatch(first < 0 ? 0 : first, false);
      } else drawFound();
      highlightSoon();
    } catch (error) {
      if (turn === asked) put(told, error.message);
    }
  });

  function clear() {
    found = { text: "", list: [], at: -1, total: 0 };
    highlight([], "");
    drawFound();
  }

  function drawFound() {
    const any = found.list.length > 0;
    previous.disabled = !any;
    next.disabled = !any;
    put(told, !found.text ? "" : !any ? "nothing found" : `${number(found.at + 1)} of ${number(found.total)}${found.truncated ? "+" : ""}`);
    matchBox.hidden = !any;
    if (any) put(matchBox, h("h2", {}, count(found.total, "match", "matches")), matches(found.list, found.at, (n) => goMatch(n)));
  }

  async function goMatch(n, focus = true) {
    found.at = n;
    drawFound();
    matchBox.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    const { text } = found;
    const node = await goItem(found.list[n].index, { focus });
    let place = node && reveal(node, text);
    if (node && !place) {
      // It may stand in what was cut.
      for (const more of node.querySelectorAll("button.more")) await more.whole();
      place = reveal(node, text);
    }
    if (place) {
      // What is far down in a long item is brought into sight.
      const rect = place.getBoundingClientRect();
      if (rect.height < innerHeight && (rect.top < stream.inset || rect.bottom > innerHeight)) {
        stream.pin = null;
        place.scrollIntoView({ block: "center", behavior: "instant" });
      }
    }
    highlightSoon();
  }

  function match(by) {
    if (found.list.length === 0) return false;
    goMatch((found.at + by + found.list.length) % found.list.length);
    return true;
  }

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      match(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      field.value = "";
      clear();
    }
  });

  // --- permalinks

  const address = (index) => {
    const item = stream.item(index);
    return item ? `${location.origin}${location.pathname}${location.search}#${anchor(encodeURIComponent(item.id))}` : "";
  };

  box.addEventListener("click", (event) => {
    const node = event.target.closest("article.item");
    if (!node) return;
    setCurrent(Number(node.dataset.index));
    const link = event.target.closest("a.link");
    if (link) {
      event.preventDefault();
      readdress(link.getAttribute("href"));
      copy(address(Number(node.dataset.index)), "address of this item");
    }
    // Going back from a sub-agent's own page leads to where it was left.
    if (event.target.closest(".nested-links a")) {
      const item = stream.item(Number(node.dataset.index));
      if (item) readdress(`#${anchor(encodeURIComponent(item.id))}`);
    }
  });
  addEventListener("hashchange", goHash);

  // --- printing

  async function print() {
    if (stream.total > MOST_PRINTED) {
      toast(`${number(stream.total)} items are too many to print from here: use recount export ${id.slice(0, 8)}`);
      return;
    }
    toast("Preparing …");
    const all = h("div", { class: "stream printed" });
    try {
      // A server gives fewer than are asked for when they are large.
      for (let from = 0; from < stream.total;) {
        const { items } = await get(`${api}/items`, { branch, from, limit: 200 });
        if (items.length === 0) break;
        from += items.length;
        for (const item of items) {
          all.append(h("article", { class: "item", "data-type": item.type }, item.turnStart && turnHead(meta.turns[item.turn], item.turn + 1), body(item, id, branch),
            item.subagentId && item.subagentId !== id && h("p", { class: "note" }, "Its sub-agent is a session of its own and is printed from there.")));
        }
      }
    } catch (error) {
      toast(error.message);
      return;
    }
    // On paper nothing can be opened.
    for (const details of all.querySelectorAll("details")) details.open = true;
    box.after(all);
    document.body.classList.add("printing");
    addEventListener("afterprint", () => {
      all.remove();
      document.body.classList.remove("printing");
    }, { once: true });
    window.print();
  }

  // --- keys

  keys("Session", [
    ["j, ArrowDown", "next item", step(1)],
    ["k, ArrowUp", "previous item", step(-1)],
    ["]", "next turn", stepTurn(1)],
    ["[", "this or the previous turn", stepTurn(-1)],
    ["Enter", "open or fold the item", toggleCurrent],
    ["o", "open or fold all tools and thoughts", toggleAll],
    ["m", "only what was asked and answered", toggleTalk],
    ["c", "copy the text of the item", () => {
      const text = stream.node(current)?.querySelector(":scope > .line > .body")?.innerText.trim();
      if (text) copy(text, "text of this item");
    }],
    ["/", "find in this session", () => { field.focus(); field.select(); }],
    ["n", "next match", () => match(1)],
    ["N", "previous match", () => match(-1)],
    ["g g", "to the beginning", goStart],
    ["G", "to the end", jumpToNewest],
    ["y", "copy the address of the item", () => {
      const at = current >= 0 ? current : stream.first;
      const to = address(at);
      if (!to) return;
      readdress(new URL(to).hash);
      copy(to, "address of this item");
    }],
    ["t", "timeline of this session", () => { location.href = `/s/${encodeURIComponent(id)}/timeline${location.search}`; }],
    ["u", "up to the session that started it", () => { top.querySelector("a.parent")?.click(); }],
  ]);

  // --- begin

  drawMeta();
  stream.resize(meta.items);
  if (meta.items === 0 && branch) put(box, empty("This branch shows nothing of its own.", "Its records hold nothing that anybody said or did."));
  else if (meta.items === 0) put(box, empty("Nothing was said in this session yet.", "What is written to it appears here at once."));
  document.documentElement.classList.add("ready");
  stream.layout();
  const asPage = Number(new URLSearchParams(location.search).get("page"));
  const place = history.state?.at;
  if (place > 0 && place < meta.items) stream.go(place, history.state.below ?? 0);
  else if (!(await goHash()) && asPage > 1) goItem((asPage - 1) * SERVER_PART, { focus: false });
  began = true;
  const wanted = new URLSearchParams(location.search).get("find");
  if (wanted) {
    field.value = wanted;
    search();
  }

  // --- live

  // Tokens and cost come from all transcripts together, which may be read for the first time just now.
  let tries = 0;
  const awaitUsage = () => {
    if (meta.usage?.length > 0 || meta.items === 0 || (tries += 1) > 5) return;
    setTimeout(async () => {
      const fresh = await get(api, { branch }).catch(() => null);
      if (fresh?.usage?.length > 0) {
        meta = fresh;
        drawMeta();
      } else awaitUsage();
    }, 500 * 2 ** tries);
  };
  awaitUsage();

  const refresh = debounce(250, async () => {
    try {
      meta = await get(api, { branch });
      drawMeta();
      for (const [index, node] of stream.nodes) {
        // A branch may have left just now.
        for (const note of node.querySelectorAll(":scope > .fork-note")) note.remove();
        node.querySelector(":scope > .line")?.before(...forkNotes(index));
        const turn = node.of && meta.turns[node.of.turn];
        if (!turn) continue;
        if (node.of.turnStart) node.querySelector(":scope > h2.turn")?.replaceWith(turnHead(turn, node.of.turn + 1, meta.live));
        const isLast = index === turn.firstItem + turn.itemCount - 1;
        if (isLast && turn.error && !node.querySelector(":scope > .notice")) node.append(turnError(turn));
      }
    } catch (error) {
      put(top, failed(error));
    }
  });

  // That nothing is written any more is told by nobody.
  setInterval(() => { if (meta.live && !document.hidden) refresh(); }, 60_000);

  listen(`${api}/events${branch ? `?branch=${encodeURIComponent(branch)}` : ""}`, {
    gone: () => toast("This session is no longer there: its file was taken away"),
    change: (data) => {
      if (!data) return;
      // Said once at the beginning, too, when nothing has changed.
      if (data.total === stream.total && data.firstChanged >= data.total && data.status === meta.thread.status) return;
      const wasEmpty = stream.total === 0;
      const follows = stream.isAtEnd && stream.total > 0;
      if (wasEmpty && data.total > 0) put(box);
      stream.stale(data.firstChanged ?? 0);
      stream.resize(data.total);
      if (follows) stream.goEnd();
      else if (data.total > seenTotal) {
        newest.textContent = `${count(data.total - seenTotal, "new item")} · jump to newest ↓`;
        newest.hidden = false;
        say(`${count(data.total - seenTotal, "new item")}`);
      }
      refresh();
    },
  }, () => {
    stream.stale(0);
    refresh();
  });
}

/** What is left when only the talk is shown. */
const TALK = new Set(["userMessage", "agentMessage", "plan", "enteredReviewMode", "exitedReviewMode", "contextCompaction"]);

const NAMES = {
  userMessage: "Prompt", agentMessage: "Answer", reasoning: "Thought", plan: "Plan", commandExecution: "Command", fileChange: "File change",
  mcpToolCall: "Tool call", dynamicToolCall: "Tool call", collabAgentToolCall: "Sub-agent call", subAgentActivity: "Sub-agent", webSearch: "Web search",
  contextCompaction: "Compaction", notice: "Notice", imageView: "Image",
};
const name = (item) => NAMES[item.type] ?? item.type;
