// A session that is written to while somebody looks at it.

import assert from "node:assert/strict";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, test } from "node:test";
import { folder, ready, serve, setUp, Transcript } from "./lib.mjs";

const store = await folder();
const transcript = new Transcript("11111111-2222-4333-8444-555555555555");
const path = transcript.path(store);
for (let turn = 1; turn <= 12; turn += 1) {
  transcript.user(`Question ${turn}`);
  for (let step = 1; step <= 4; step += 1) transcript.run(`step ${turn}.${step}`, `output ${turn}.${step}\n`.repeat(6));
  transcript.say(`Answer ${turn}. ${"It has some length. ".repeat(20)}`);
}
await mkdir(dirname(path), { recursive: true });
await writeFile(path, transcript.text);
after(() => rm(store, { recursive: true, force: true }));

const it = setUp(() => serve("--store", `claude-code=${store}`));

/** Appends what a function says. */
async function write(say) {
  const before = transcript.lines.length;
  say(transcript);
  await appendFile(path, transcript.lines.slice(before).map((line) => `${line}\n`).join(""));
}

test("who is at the end follows what is written", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  await page.keyboard.press("G");
  await page.locator("article.item", { hasText: "Answer 12" }).waitFor();
  for (let n = 1; n <= 3; n += 1) {
    await write((at) => {
      at.user(`Live question ${n}`);
      at.say(`Live answer ${n}. ${"More and more. ".repeat(60)}`);
    });
    const item = page.locator("article.item", { hasText: `Live answer ${n}.` });
    await item.waitFor();
    await page.waitForFunction(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 40);
  }
  await page.locator(".turns-box h2", { hasText: "15 turns" }).waitFor();
  await page.done();
});

test("who reads elsewhere stays there and is told what is new", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  await page.locator("article.item", { hasText: "Question 1" }).first().waitFor();
  const before = await page.evaluate(() => scrollY);
  await write((at) => {
    at.user("Are you still there?");
    at.say("Yes, at the very end.");
  });
  const newest = page.locator("button.newest");
  await newest.waitFor();
  assert.match(await newest.innerText(), /2 new items/u);
  assert.equal(await page.evaluate(() => scrollY), before);
  await newest.click();
  await page.locator("article.item", { hasText: "Yes, at the very end." }).waitFor();
  await newest.waitFor({ state: "hidden" });
  await page.done();
});

test("what was unfolded stays so when an item behind it changes", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  await page.keyboard.press("G");
  await page.locator("article.item", { hasText: "Yes, at the very end." }).waitFor();
  await write((at) => { at.run("echo first", "first output"); });
  const call = page.locator("details.call", { hasText: "echo first" });
  await call.waitFor();
  await call.locator("summary").click();
  await write((at) => { at.say("And on it goes."); });
  await page.locator("article.item", { hasText: "And on it goes." }).waitFor();
  assert.ok(await page.getByText("first output").isVisible());
  await page.done();
});

test("a tab that nobody sees holds no connection, and catches up when it is looked at", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  await page.keyboard.press("G");
  await page.locator("article.item", { hasText: "And on it goes." }).waitFor();
  const show = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await show(true);
  await write((at) => { at.say("Said to nobody."); });
  await page.waitForTimeout(1500);
  assert.equal(await page.getByText("Said to nobody.").count(), 0);
  await show(false);
  await page.getByText("Said to nobody.").waitFor();
  await page.done();
});

test("a branch that leaves is told at once", async () => {
  const other = new Transcript("22222222-3333-4444-8555-666666666666");
  const file = other.path(store);
  other.user("What shall we do?");
  other.say("There are two ways.");
  const fork = other.parent;
  other.user("Take the first one.");
  other.say("The first one it is.");
  await writeFile(file, other.text);
  const page = await it.open(`/s/${other.id}`);
  await page.locator("article.item", { hasText: "The first one it is." }).waitFor();
  assert.equal(await page.locator(".fork-note").count(), 0);
  const before = other.lines.length;
  other.parent = fork;
  other.user("Take the second one instead.");
  other.say("The second one, then.");
  await appendFile(file, other.lines.slice(before).map((line) => `${line}\n`).join(""));
  await page.locator("article.item", { hasText: "The second one, then." }).waitFor();
  const note = page.locator("article.item", { hasText: "Take the second one" }).locator(".fork-note");
  await note.waitFor();
  assert.match(await note.innerText(), /Another branch leaves here: Take the first one/u);
  await note.locator("a").click();
  await page.locator("article.item", { hasText: "The first one it is." }).waitFor();
  await page.done();
  await rm(file);
});

test("the list shows a session that begins", async () => {
  const page = await it.open("/");
  assert.equal(await page.locator("tr[data-id]").count(), 1);
  const other = new Transcript("99999999-2222-4333-8444-555555555555", "/home/dev/other");
  other.user("A session that has just begun");
  await mkdir(dirname(other.path(store)), { recursive: true });
  await writeFile(other.path(store), other.text);
  await page.locator("tr[data-id] a.title", { hasText: "A session that has just begun" }).waitFor({ timeout: 15_000 });
  await page.done();
});

test("going back and loading anew lead to where one was", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  const first = () => page.evaluate(() => {
    const bar = document.querySelector(".session-bar").getBoundingClientRect().bottom;
    const node = [...document.querySelectorAll("article.item:not(.blank)")].find((one) => one.getBoundingClientRect().bottom > bar + 1);
    return node && { index: Number(node.dataset.index), top: Math.round(node.getBoundingClientRect().top) };
  });
  await page.evaluate(() => scrollTo(0, 1700));
  await page.waitForTimeout(700);
  const before = await first();
  assert.ok(before.index > 10);
  const isBack = (place) => page.waitForFunction(({ index, top }) => {
    const node = document.querySelector(`article[data-index="${index}"]:not(.blank)`);
    return node && Math.abs(node.getBoundingClientRect().top - top) < 4;
  }, place);
  await page.keyboard.press("t");
  await page.waitForURL(/timeline$/u);
  await ready(page);
  await page.goBack();
  await page.waitForURL((url) => !url.pathname.endsWith("timeline"));
  await isBack(before);
  await page.reload();
  await isBack(before);
  await page.done();
});

test("a server that goes away is told, and what was read stays", async () => {
  const page = await it.open(`/s/${transcript.id}`);
  await page.locator("article.item", { hasText: "Question 1" }).first().waitFor();
  await it.server.close();
  it.server = null;
  await page.getByText("The server does not answer. This page goes on by itself").waitFor();
  assert.ok(await page.locator("article.item", { hasText: "Question 1" }).first().isVisible());
});
