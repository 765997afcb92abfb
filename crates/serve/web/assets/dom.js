// Elements, made in one way. Text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Text without signs that turn it around or do things: they are shown as what they are. */
export const clean = (text) => text.replace(UNSEEN, (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

/** Names the page in the browser's tab. */
export function entitle(...parts) {
  document.title = clean([...parts, "recount"].join(" · "));
}

/** Attributes that people read. */
const SHOWN = new Set(["title", "aria-label", "alt", "placeholder"]);

const shown = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
  .map((child) => (child instanceof Node ? child : clean(String(child))));

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, set] of Object.entries(value)) node.style.setProperty(`--${key}`, set);
    // Addresses and keys stay as they are.
    else node.setAttribute(name, value === true ? "" : SHOWN.has(name) ? clean(String(value)) : String(value));
  }
  node.append(...shown(children));
  return node;
}

/** Makes an element. `on…` are listeners, `vars` custom properties of its style. */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** Makes an SVG element. */
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** Takes HTML that the server rendered from escaped text. Scripts and handlers in it would not run: the policy forbids them. */
export function html(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  for (const named of template.content.querySelectorAll("[id]")) named.removeAttribute("id");
  for (const link of template.content.querySelectorAll("a[href]")) {
    if (!link.getAttribute("href").startsWith("/")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
  }
  return template.content;
}

/** Replaces what stands in a node. */
export function put(node, ...children) {
  node.replaceChildren(...shown(children));
  return node;
}

/** A snippet with its marks. */
export const snippet = (parts) => parts.map((part) => (part.mark ? h("mark", {}, part.text) : part.text));

/** What the page says when there is nothing, or when something went wrong, with what to do next. */
export const empty = (title, ...what) =>
  h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), what.length > 0 && h("p", {}, ...what));

export const failed = (error, retry, heading = "p") =>
  h("div", { class: "empty failed", role: "alert" },
    h(heading, { class: "empty-title" }, error.title ?? "That did not work"),
    h("p", {}, error.message),
    retry && h("p", {}, h("button", { type: "button", onclick: retry }, "Try again")));

let live;
/** Tells people who listen to the page something short. */
export function say(text) {
  live ??= document.body.appendChild(h("div", { class: "hidden", role: "status", "aria-live": "polite" }));
  live.textContent = clean(text);
}

let toasts;
/** Shows a short word at the foot of the page for a moment. */
export function toast(text) {
  toasts ??= document.body.appendChild(h("div", { class: "toast", role: "status" }));
  toasts.textContent = clean(text);
  toasts.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => toasts.classList.remove("shown"), 2500);
}

/** Calls the last of several calls that follow each other closely. */
export function debounce(wait, run) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...given), wait);
  };
}

/** Buttons of which one is pressed. */
export function choice(label, options, current, choose) {
  const box = h("div", { class: "choice", role: "group", "aria-label": label });
  const draw = (value) => put(box, options.map(([key, name]) =>
    h("button", {
      type: "button", "aria-pressed": String(key === value), "data-value": key,
      onclick: () => {
        draw(key);
        box.querySelector("[aria-pressed=true]")?.focus();
        choose(key);
      },
    }, name)));
  draw(current);
  return box;
}

/** What scrolls by itself is reached by keyboard, too. */
export function reachable(root) {
  const check = debounce(150, () => {
    for (const node of root.querySelectorAll("pre, .wide, .plot-table, .matches-box, .branches ul")) {
      if (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1) {
        if (!node.hasAttribute("tabindex")) node.tabIndex = 0;
      }
    }
  });
  new MutationObserver(check).observe(root, { childList: true, subtree: true });
  root.addEventListener("toggle", check, true);
  addEventListener("resize", check);
  check();
}

/** Remembers something with this entry of the browser's history, so that going back finds it. */
export const remember = (what) => history.replaceState({ ...history.state, ...what }, "");

/** Changes the address and keeps what is remembered. */
export const readdress = (address) => history.replaceState(history.state, "", address);
