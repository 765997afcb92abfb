// Where the page begins: what all pages have, then the module of the page that the server named.

import { failed, h, put, reachable, remember } from "./dom.js";
import { keys, help, start } from "./keys.js";

const PAGES = {
  sessions: () => import("./sessions.js"),
  session: () => import("./session.js"),
  timeline: () => import("./timeline.js"),
  usage: () => import("./usage.js"),
  files: () => import("./files.js"),
  formats: () => import("./formats.js"),
  findings: () => import("./findings.js"),
  search: () => import("./search.js"),
};

const go = (address) => () => { location.href = address; };
const root = document.documentElement;

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  root.dataset.theme = next;
  document.cookie = `recount_theme=${next}; path=/; max-age=31536000; samesite=strict`;
  document.dispatchEvent(new CustomEvent("theme"));
}

function top() {
  const header = document.querySelector("header.top");
  if (!header) return;
  header.append(h("div", { class: "tools" },
    h("button", { type: "button", class: "icon", title: "Light or dark (key: d)", "aria-label": "Switch between light and dark", onclick: toggleTheme }, "◐"),
    h("button", { type: "button", class: "icon", title: "Keys (key: ?)", "aria-label": "Show the keys", onclick: help }, "?")));
  const at = location.pathname === "/" || location.pathname.startsWith("/s/") ? "/" : `/${location.pathname.split("/")[1]}`;
  for (const link of header.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === at) link.setAttribute("aria-current", "page");
  }
  // The header's height is where what sticks below it begins.
  const measure = () => root.style.setProperty("--top", getComputedStyle(header).position === "sticky" ? `${header.offsetHeight}px` : "0px");
  new ResizeObserver(measure).observe(header);
  measure();
}

const search = () => {
  const field = document.querySelector("main input[type=search]") ?? document.querySelector("header.top input[type=search]");
  field?.focus();
  field?.select();
};

keys("Everywhere", [
  ["/", "search", search],
  ["?", "this help", help],
  ["d", "light or dark", toggleTheme],
  ["g s", "sessions", go("/")],
  ["g u", "usage", go("/usage")],
  ["g f", "files", go("/files")],
  ["g i", "findings", go("/findings")],
  ["g o", "formats", go("/formats")],
  ["Esc", "leave a field or a dialog"],
]);

// A menu closes as menus do.
const menus = () => document.querySelectorAll("details.menu[open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  }
  if (event.key === "Escape" && event.target.matches?.("input, select")) event.target.blur();
});

async function run() {
  // What is drawn later has no height yet when the browser would scroll.
  history.scrollRestoration = "manual";
  const { y } = history.state ?? {};
  addEventListener("pagehide", () => remember({ y: scrollY }));
  top();
  start();
  const main = document.getElementById("main");
  const page = PAGES[document.body.dataset.page];
  // Whatever is there by then is better than nothing: what the server wrote, or that something is being counted.
  setTimeout(() => root.classList.add("late"), 400);
  if (page && main) {
    try {
      await (await page()).default(main);
    } catch (error) {
      console.error(error);
      put(main, failed(error, () => location.reload(), "h1"));
    }
  }
  root.classList.add("ready");
  if (y > 0 && scrollY === 0) scrollTo({ top: y, behavior: "instant" });
  if (main) reachable(main);
}

run();
