// A session of 50 MB: it opens at once, and the document stays small wherever one scrolls.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { folder, ready, serve, setUp, SHARED } from "./lib.mjs";

const GENERATOR = join(SHARED, "tools/gen_corpus.py");
const skip = !existsSync(GENERATOR) && "the generator is not there";
const MOST_NODES = 6000;

if (skip) test("a session of 50 MB", { skip }, () => {});
else {
  const home = await folder();
  execFileSync("python3", [GENERATOR, "--out", home, "--size-mb", "1", "--harness", "claude", "--seed", "1", "--big-session-mb", "50"], { stdio: "ignore" });
  after(() => rm(home, { recursive: true, force: true }));
  const it = setUp(() => serve("--store", `claude-code=${join(home, ".claude")}`));
  const nodes = (page) => page.evaluate(() => document.querySelectorAll("*").length);

  test("a session of 50 MB opens, scrolls and is searched with a small document", async () => {
    const page = await it.open("/");
    // A debug build takes its time to read it.
    page.setDefaultTimeout(120_000);
    const sessions = await page.evaluate(async () => (await (await fetch("/api/sessions?limit=500&all=1")).json()).sessions);
    const big = sessions.sort((a, b) => b.size - a.size)[0];
    assert.ok(big.size > 45e6);
    const start = Date.now();
    await page.goto(`${it.server.origin}/s/${big.id}`);
    await ready(page);
    await page.locator("article.item:not(.blank)").first().waitFor();
    const opened = Date.now() - start;
    console.log(`opened after ${opened} ms`);
    const total = Number(await page.locator("article.item").first().getAttribute("aria-setsize"));
    assert.ok(total > 3000, `${total} items`);
    assert.ok(await nodes(page) < MOST_NODES);

    // Everywhere in it, by leaps as of a scroll bar.
    for (const part of [0.1, 0.9, 0.5, 0.33, 0.99]) {
      await page.evaluate((at) => scrollTo(0, document.documentElement.scrollHeight * at), part);
      await page.waitForFunction(() => {
        const seen = [...document.querySelectorAll("article.item")].filter((node) => node.getBoundingClientRect().bottom > 0 && node.getBoundingClientRect().top < innerHeight);
        return seen.length > 0 && seen.every((node) => !node.classList.contains("blank"));
      });
      const amount = await nodes(page);
      assert.ok(amount < MOST_NODES, `${amount} nodes at ${part}`);
    }

    // Step by step, what is looked at does not jump.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    await page.waitForTimeout(500);
    for (let n = 0; n < 25; n += 1) {
      const before = await page.evaluate(() => {
        const node = [...document.querySelectorAll("article.item:not(.blank)")].find((one) => one.getBoundingClientRect().top > 200);
        return { index: node.dataset.index, top: node.getBoundingClientRect().top };
      });
      await page.evaluate(async () => {
        scrollBy(0, -150);
        for (let frame = 0; frame < 4; frame += 1) await new Promise((next) => { requestAnimationFrame(next); });
      });
      const after2 = await page.evaluate((index) => document.querySelector(`article[data-index="${index}"]`)?.getBoundingClientRect().top, before.index);
      assert.ok(Math.abs(after2 - before.top - 150) < 3, `item ${before.index} moved from ${before.top} to ${after2}`);
    }

    await page.keyboard.press("G");
    await page.locator(`article[aria-posinset="${total}"]:not(.blank)`).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.locator("article[aria-posinset='1']:not(.blank)").waitFor();

    // A middle item by its address.
    const item = await page.evaluate(async ([session, at]) => (await (await fetch(`/api/sessions/${session}/items?from=${at}&limit=1`)).json()).items[0], [big.id, Math.floor(total / 2)]);
    await page.goto(`${it.server.origin}/s/${big.id}#item-${encodeURIComponent(item.id)}`);
    await page.reload();
    await ready(page);
    await page.locator(`article.current[aria-posinset="${item.index + 1}"]`).waitFor();
    const place = await page.locator("article.current").evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(place > 0 && place < 400, `the item is at ${place}`);

    await page.fill(".finder input", "error");
    await page.waitForFunction(() => / of /u.test(document.querySelector("output.found").textContent));
    assert.ok(await nodes(page) < MOST_NODES);

    await page.goto(`${it.server.origin}/s/${big.id}/timeline`);
    await ready(page);
    await page.locator("rect.span").first().waitFor();
    assert.ok(await nodes(page) < 2 * MOST_NODES);
    await page.done();
  });
}
