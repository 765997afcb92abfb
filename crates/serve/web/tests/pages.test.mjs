// All pages on the sample stores.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ready, serve, setUp } from "./lib.mjs";

const CART = "6513270e-269e-4d37-b2a7-4de452e6b438";
const NOTES = "57124242-5051-41cc-917f-9acae01f5057";
const LEFT = "58d5563d-ab2c-431e-a315-128862c33a4f";
const AGENT = "a3f09c2d71b64e805";
const LOGIN = "01a19c92-0e20-701a-8000-000032b73eb6";

const it = setUp(() => serve("--sample"));

test("the list shows every session, and its filters narrow it", async () => {
  const page = await it.open("/");
  assert.equal(await page.locator("tr[data-id]").count(), 12);
  assert.match(await page.locator(`tr[data-id="${CART}"]`).innerText(), /Fix cart totals that are off by a cent\s+shop\s+claude-code/u);
  await page.locator("button[data-facet=harness][data-value=pi]").click();
  await page.waitForFunction(() => document.querySelectorAll("tr[data-id]").length === 3);
  assert.equal(new URL(page.url()).search, "?harness=pi");
  // The address brings the filter back.
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("tr[data-id]").count(), 3);
  assert.equal(await page.locator("button[data-facet=harness][data-value=pi]").getAttribute("aria-pressed"), "true");
  await page.fill("#filter", "no session says this");
  await page.getByText("No session is like that.").waitFor();
  await page.done();
});

test("the token leaves the address", async () => {
  const page = await it.open("/");
  assert.equal(page.url(), `${it.server.origin}/`);
  await page.done();
});

test("search as you type gives snippets that lead to the place", async () => {
  const page = await it.open("/");
  await page.keyboard.press("/");
  await page.keyboard.type("rounded");
  const hit = page.locator(`tr[data-of="${CART}"] a.hit`).first();
  await hit.waitFor();
  assert.match(await hit.innerText(), /rounded/u);
  assert.equal(await hit.locator("mark").first().innerText(), "rounded");
  await hit.click();
  await page.waitForURL(/\/s\/.*#item-/u);
  await ready(page);
  await page.locator("article.item.current", { hasText: "rounded" }).waitFor();
  await page.done();
});

test("the search page finds in every session and says so when there is nothing", async () => {
  const page = await it.open("/search?q=cart");
  await page.locator("a.hit").first().waitFor();
  const hits = await page.locator("a.hit").count();
  assert.ok(hits > 5, `${hits} hits`);
  assert.match(await page.locator("p.count").first().innerText(), /\d+ hits/u);
  // A session with more hits than are shown leads to all of them.
  const rest = page.getByText("find them there").first();
  const address = await rest.getAttribute("href");
  assert.match(address, /\?find=cart$/u);
  await page.fill("main input[type=search]", "zzzqqq");
  await page.getByText("Nothing was found for").waitFor();
  await page.fill("main input[type=search]", "banner");
  await page.locator("a.hit mark", { hasText: /banner/iu }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/s\//u);
  await page.done();
});

test("an address may say what to find in a session", async () => {
  const page = await it.open(`/s/${CART}?find=cart`);
  await page.locator(".finder").getByText(/1 of \d+/u).waitFor();
  await page.done();
});

test("similar words are told as such in the list, too", async () => {
  const page = await it.open("/");
  await page.fill("#filter", "roundet");
  await page.getByText("with words like yours").waitFor();
  assert.match(await page.locator("p.count").first().innerText(), /nothing says just that/u);
  await page.done();
});

test("a session opens with what it is and all of its items", async () => {
  const page = await it.open("/");
  await page.locator(`tr[data-id="${CART}"] a.title`).click();
  await page.waitForURL(new RegExp(`/s/${CART}$`, "u"));
  await ready(page);
  assert.equal(await page.locator("h1").innerText(), "Fix cart totals that are off by a cent");
  assert.match(await page.locator(".facts-line").innerText(), /claude-code[\s\S]*claude-opus-5-5[\s\S]*2 turns, 14 items/u);
  await page.locator("article.item .user", { hasText: "Totals in the cart are off by a cent" }).waitFor();
  assert.equal(await page.locator("nav.turns li").count(), 2);
  const failed = page.locator("details.call.bad summary");
  assert.match(await failed.innerText(), /cargo test -p shop-api cart.*exit 101/u);
  // Tools are folded until somebody asks.
  assert.equal(await page.locator("article pre", { hasText: "assertion `left == right` failed" }).isVisible(), false);
  await failed.click();
  assert.equal(await page.locator("article pre", { hasText: "assertion `left == right` failed" }).isVisible(), true);
  await page.locator(".diff .add").first().waitFor({ state: "attached" });
  await page.done();
});

test("all tools open and fold at once", async () => {
  const page = await it.open(`/s/${CART}`);
  await page.locator("details.call").first().waitFor();
  await page.keyboard.press("o");
  assert.equal(await page.locator(".body details:not([open])").count(), 0);
  assert.ok(await page.locator(".body details[open]").count() > 5);
  await page.getByRole("button", { name: "Fold all" }).click();
  assert.equal(await page.locator(".body details[open]").count(), 0);
  await page.done();
});

test("only the talk is shown when asked for", async () => {
  const page = await it.open(`/s/${CART}`);
  await page.locator("details.call").first().waitFor();
  await page.keyboard.press("m");
  assert.equal(await page.locator("details.call:visible").count(), 0);
  assert.ok(await page.locator(".user:visible").count() >= 2);
  assert.ok(await page.getByText("Each line is rounded on its own").isVisible());
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.ok(await page.locator("article.current .agent").isVisible());
  await page.keyboard.press("c");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /how totals are added up/u);
  await page.getByRole("button", { name: "Talk only" }).click();
  assert.ok(await page.locator("details.call:visible").count() > 3);
  await page.done();
});

test("a branch that was left is a click away, and so is the way back", async () => {
  const page = await it.open(`/s/${NOTES}`);
  await page.locator(".branches li").nth(1).waitFor();
  assert.equal(await page.locator(".branches li").count(), 2);
  await page.locator("article", { hasText: "Add a line on how to move" }).first().waitFor();
  assert.match(await page.locator(".fork-note").innerText(), /Make it funnier/u);
  await page.locator(`.branches a[data-leaf="${LEFT}"]`).click();
  await page.waitForURL(/branch=/u);
  await ready(page);
  await page.locator("article", { hasText: "where did I put that note" }).first().waitFor();
  assert.equal(await page.locator("article", { hasText: "Add a line on how to move" }).count(), 0);
  assert.equal(await page.locator(".branches a[aria-current]").getAttribute("data-leaf"), LEFT);
  await page.locator(".branches a:not([aria-current])").click();
  await page.waitForURL((url) => url.search === "");
  await ready(page);
  await page.locator("article", { hasText: "Add a line on how to move" }).first().waitFor();
  await page.done();
});

test("a sub-agent opens in place, or as its own page with the way back", async () => {
  const page = await it.open(`/s/${CART}`);
  const nested = page.locator(`details.nested[data-subagent="${AGENT}"]`);
  await nested.locator(":scope > summary").click();
  await nested.locator(".item", { hasText: "src/order.rs:12" }).first().waitFor();
  await nested.getByRole("link", { name: "Open as its own page" }).click();
  await page.waitForURL(new RegExp(`/s/${AGENT}`, "u"));
  await ready(page);
  const up = page.locator("a.parent");
  await page.waitForFunction(() => document.querySelector("a.parent")?.textContent.startsWith("Fix cart totals"));
  await up.click();
  await page.waitForURL(new RegExp(`/s/${CART}#item-`, "u"));
  await ready(page);
  await page.locator("article.item.current details.nested").waitFor();
  // The browser's own way back leads there, too.
  await page.goBack();
  await page.waitForURL(new RegExp(`/s/${AGENT}`, "u"));
  await page.done();
});

test("an item has an address that leads to it", async () => {
  const page = await it.open(`/s/${LOGIN}`);
  const item = page.locator("article.item", { hasText: "RFC 6585 defines it" });
  await item.hover();
  await item.locator("a.link").click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(address, /#item-/u);
  assert.equal(page.url(), address);
  await page.goto("about:blank");
  await page.goto(address);
  await ready(page);
  const arrived = page.locator("article.item.arrived", { hasText: "RFC 6585 defines it" });
  await arrived.waitFor();
  assert.ok(await arrived.isVisible());
  await page.goto("about:blank");
  await page.goto(`${it.server.origin}/s/${LOGIN}#item-nothing`);
  await page.getByText("is not in this branch of the session").waitFor();
  await page.done();
});

test("find counts, marks and goes through matches, also in what is folded", async () => {
  const page = await it.open(`/s/${CART}`);
  await page.keyboard.press("/");
  await page.keyboard.type("three_thirds");
  await page.waitForFunction(() => /^1 of \d+$/u.test(document.querySelector("output.found").textContent));
  const total = Number((await page.locator("output.found").innerText()).split(" of ")[1]);
  assert.ok(total >= 3, `${total} matches`);
  assert.equal(await page.locator("ol.matches li").count(), total);
  await page.keyboard.press("Escape");
  await page.fill(".finder input", "assertion");
  await page.waitForFunction(() => document.querySelector("output.found").textContent.startsWith("1 of"));
  await page.locator("article pre", { hasText: "assertion `left == right` failed" }).waitFor({ state: "visible" });
  await page.waitForFunction(() => CSS.highlights.get("find")?.size > 0);
  await page.fill(".finder input", "three_thirds");
  await page.waitForFunction((all) => document.querySelector("output.found").textContent === `1 of ${all}`, total);
  await page.locator(".finder input").blur();
  await page.keyboard.press("n");
  assert.equal(await page.locator("output.found").innerText(), `2 of ${total}`);
  await page.keyboard.press("N");
  await page.keyboard.press("N");
  assert.equal(await page.locator("output.found").innerText(), `${total} of ${total}`);
  await page.fill(".finder input", "nothing like this");
  await page.waitForFunction(() => document.querySelector("output.found").textContent === "nothing found");
  await page.done();
});

test("keys go through lists, items, turns and pages", async () => {
  const page = await it.open("/");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  const title = await page.evaluate(() => document.activeElement.textContent);
  assert.equal(title, await page.locator("a.title").first().innerText());
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/s\//u);
  await ready(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await page.locator("article.current").getAttribute("aria-posinset"), "2");
  // A thought of one line has nothing to open; the call behind it has.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("article.current details[open]").count() > 0);
  await page.keyboard.press("]");
  await page.locator("article.current h2.turn", { hasText: "Turn 2" }).waitFor();
  await page.keyboard.press("[");
  await page.locator("article.current h2.turn", { hasText: "Turn 1" }).waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog.help[open]").waitFor();
  assert.match(await page.locator("dialog.help").innerText(), /next match/u);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog.help[open]").count(), 0);
  await page.keyboard.press("t");
  await page.waitForURL(/\/timeline$/u);
  await ready(page);
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.waitForURL(/\/usage$/u);
  await page.done();
});

test("usage has plots with values to hover and the same values in tables", async () => {
  const page = await it.open("/usage");
  const plot = page.locator(".pair svg.plot").first();
  await plot.waitFor();
  assert.ok(await plot.locator("rect").count() > 5);
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width - 8, box.y + 100);
  const tip = page.locator(".tip:visible");
  await tip.waitFor();
  const hovered = await tip.innerText();
  assert.match(hovered, /^2026-11-09[\s\S]*claude-opus-5-5[\s\S]*total/u);
  await page.mouse.move(box.x + box.width / 2, box.y - 60);
  assert.equal(await page.locator(".tip:visible").count(), 0);
  // The same by keyboard.
  await plot.focus();
  await page.keyboard.press("End");
  assert.equal(await page.locator(".tip:visible").innerText(), hovered);
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await page.locator(".tip:visible").innerText(), hovered);
  await page.keyboard.press("Escape");
  const row = page.locator(".plot-table tr", { hasText: "2026-11-09" }).first();
  assert.match(await row.innerText(), /129k\s+\$0\.15\s+9/u);
  assert.match(await page.locator(".facts-line").innerText(), /451,115/u);
  for (const title of ["By model", "By project", "By harness", "Blocks of five hours", "Tokens of each day", "Responses by hour of the week"]) {
    assert.equal(await page.locator("h2", { hasText: title }).count(), 1, title);
  }
  assert.equal(await page.locator("table.hours tbody tr").count(), 7);
  await page.getByRole("button", { name: "Cost", exact: true }).click();
  await page.locator("h2", { hasText: "Cost by day and model" }).waitFor();
  await page.getByRole("button", { name: "atlas" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".pair .plot-table tbody tr").length > 0 && !document.querySelector(".usage").textContent.includes("claude-opus"));
  assert.match(page.url(), /project=/u);
  await page.done();
});

test("the heat map has a value for each day, by keyboard, too", async () => {
  const page = await it.open("/usage");
  const map = page.locator("svg.plot[aria-label^='Tokens of each day']");
  await map.focus();
  await page.keyboard.press("End");
  assert.match(await page.locator(".tip:visible").innerText(), /2026-11-09\s+128,718 tokens/u);
  assert.match(await page.locator("[role=status]").last().innerText(), /2026-11-09/u);
  await page.done();
});

test("the timeline shows turns, tools and context, and leads to items", async () => {
  const page = await it.open(`/s/${LOGIN}/timeline`);
  const plot = page.locator(".timeline-box svg.plot");
  await plot.locator("rect.span").first().waitFor();
  assert.equal(await plot.locator("rect.turn").count(), 3);
  const lanes = await plot.locator("text.lane").allTextContents();
  for (const lane of ["Turns", "Messages", "Commands", "Sub-agents", "Context"]) assert.ok(lanes.includes(lane), `${lane} in ${lanes}`);
  assert.ok((await plot.locator("path.curve").getAttribute("d")).length > 20);
  await plot.locator("rect.span").first().hover();
  assert.match(await page.locator(".timeline-box .tip").innerText(), /turn 1/u);
  await page.keyboard.press("+");
  assert.equal(await page.getByRole("button", { name: "All", exact: true }).isEnabled(), true);
  await page.keyboard.press("0");
  await plot.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#item-/u);
  await ready(page);
  await page.locator("article.item.current").waitFor();
  await page.done();
});

test("a compaction is a line in the timeline", async () => {
  const page = await it.open("/s/019f3622-51d8-7aa0-b0f4-c29e7d1a3b64/timeline");
  await page.locator("line.compaction").waitFor({ state: "attached" });
  assert.match(await page.locator("main").innerText(), /1 compaction/u);
  await page.done();
});

test("files tell who touched them", async () => {
  const page = await it.open("/files");
  const link = page.locator("a.file", { hasText: "src/cart.rs" }).first();
  await link.waitFor();
  await link.click();
  await page.waitForURL(/path=/u);
  await ready(page);
  await page.locator("td", { hasText: "Fix cart totals that are off by a cent" }).first().waitFor();
  assert.match(await page.locator("main table").innerText(), /changed/u);
  await page.getByRole("link", { name: "the place" }).first().click();
  await page.waitForURL(/#item-/u);
  await ready(page);
  await page.locator("article.item.current").waitFor();
  await page.goto(`${it.server.origin}/files?path=no/such/file.rs`);
  await page.getByText("No session touched").waitFor();
  await page.done();
});

test("formats are explained", async () => {
  const page = await it.open("/formats");
  assert.equal(await page.locator(".formats h2").count(), 5);
  await page.fill("main input[type=search]", "compacted");
  await page.locator("td a", { hasText: /^compacted$/u }).first().click();
  await page.waitForURL(/\/formats\/codex\/compacted$/u);
  await ready(page);
  assert.ok((await page.locator("main").innerText()).length > 300);
  await page.done();
});

test("findings say that there are none, or where they are", async () => {
  const page = await it.open("/findings");
  await page.locator("main .empty, main table.findings").first().waitFor();
  await page.done();
});

test("light and dark follow the system, and the button", async () => {
  const page = await it.open("/", { colorScheme: "dark" });
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await back();
  await page.keyboard.press("d");
  const light = await back();
  assert.notEqual(dark, light);
  await page.reload();
  await ready(page);
  assert.equal(await back(), light);
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  assert.equal(await back(), dark);
  await page.done();
});

test("everything fits a phone", async () => {
  const page = await it.open("/", { viewport: { width: 360, height: 740 } });
  for (const path of ["/", `/s/${CART}`, `/s/${LOGIN}/timeline`, "/usage", "/search?q=cart", "/files", "/formats", "/findings"]) {
    await page.goto(it.server.origin + path);
    await ready(page);
    await page.waitForTimeout(150);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${path} is ${wide} wide`);
  }
  await page.done();
});

test("pages are read without scripts", async () => {
  const page = await it.open("/", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Fix cart totals that are off by a cent" }).click();
  assert.match(await page.locator("main").innerText(), /Each line is rounded on its own/u);
  await page.locator("summary", { hasText: "cargo test -p shop-api cart" }).first().click();
  assert.ok(await page.getByText("assertion `left == right` failed").isVisible());
  await page.goto(`${it.server.origin}/s/${NOTES}?branch=${LEFT}`);
  assert.match(await page.locator("main").innerText(), /where did I put that note/u);
  await page.goto(`${it.server.origin}/`);
  await page.fill("header input[type=search]", "banner");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?q=banner$/u);
  assert.match(await page.locator("main").innerText(), /banner/u);
  for (const [path, text] of [["/usage", /claude-opus-5-5|2026-11-09/u], ["/files", /cart\.rs/u], ["/files?path=src/cart.rs", /Fix cart totals/u], ["/formats", /codex/u], ["/formats/codex", /session_meta/u], ["/formats/codex/compacted", /compact/u], ["/findings", /./u]]) {
    await page.goto(it.server.origin + path);
    assert.match(await page.locator("main").innerText(), text, path);
  }
  await page.done();
});

test("who does not know the token is told what to do", async () => {
  const context = await it.browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(`${it.server.origin}/usage`);
  assert.equal(answer.status(), 401);
  assert.match(await page.locator("body").innerText(), /recount serve/u);
  assert.equal(await page.evaluate(async () => (await fetch("/api/sessions")).status), 401);
  await context.close();
});

test("a session that is not there, and a server that is gone, say what to do", async () => {
  const page = await it.open("/");
  const answer = await page.goto(`${it.server.origin}/s/no-such-session`);
  assert.equal(answer.status(), 404);
  assert.match(await page.locator("main").innerText(), /no session|nothing here/iu);
  await page.goto(`${it.server.origin}/`);
  await ready(page);
  await page.route("**/api/sessions?**", (route) => route.abort());
  await page.fill("#filter", "x");
  await page.getByText("The server does not answer").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("tr[data-id], .empty-title").first().waitFor();
  await page.done();
});

test("printing takes the whole session along", async () => {
  const page = await it.open(`/s/${CART}`);
  await page.evaluate(() => { window.print = () => { document.body.dataset.printed = document.querySelectorAll(".printed .item").length; }; });
  await page.getByRole("button", { name: "Print" }).click();
  await page.waitForFunction(() => document.body.dataset.printed === "14");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("header.top").isVisible(), false);
  assert.equal(await page.locator(".printed").isVisible(), true);
  await page.done();
});
