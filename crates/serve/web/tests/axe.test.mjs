// What axe-core finds: nothing serious on any page, light and dark, wide and phone.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ready, serve, setUp } from "./lib.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const it = setUp(() => serve("--sample"));

const PAGES = [
  ["/", async (page) => { await page.fill("#filter", "cart"); await page.locator("a.hit").first().waitFor(); }],
  ["/s/6513270e-269e-4d37-b2a7-4de452e6b438", async (page) => {
    await page.locator("details.nested summary").first().click();
    await page.keyboard.press("o");
    await page.fill(".finder input", "cart");
    await page.locator("ol.matches li").first().waitFor({ state: "attached" });
  }],
  ["/s/57124242-5051-41cc-917f-9acae01f5057"],
  ["/s/019f3622-51d8-7aa0-b0f4-c29e7d1a3b64", (page) => page.keyboard.press("o")],
  ["/s/01a19c92-0e20-701a-8000-000032b73eb6/timeline"],
  ["/usage", async (page) => {
    await page.locator("svg.plot").first().focus();
    await page.keyboard.press("End");
  }],
  ["/search?q=cart"],
  ["/search"],
  ["/files"],
  ["/files?path=src/cart.rs"],
  ["/formats"],
  ["/formats/codex/session_meta"],
  ["/findings"],
  ["/s/nothing"],
];

async function check(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, impact, nodes }) => `${what}: ${id} (${impact}): ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split("\n").at(1) ?? ""}`).join(" | ")}`);
  assert.deepEqual(bad, []);
}

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["wide", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
    test(`${colorScheme}, ${name}`, async () => {
      const page = await it.open("/", { colorScheme, viewport, bypassCSP: true, reducedMotion: "reduce" });
      for (const [path, act] of PAGES) {
        await page.goto(it.server.origin + path);
        await ready(page);
        await page.waitForTimeout(100);
        await act?.(page);
        await check(page, `${path} ${colorScheme} ${name}`);
      }
      await page.goto(it.server.origin);
      await ready(page);
      await page.keyboard.press("?");
      await check(page, `help ${colorScheme} ${name}`);
      await page.done();
    });
  }
  test(`${colorScheme}, without scripts`, async () => {
    // axe itself is a script: the pages are looked at before their own ones run.
    const page = await it.open("/", { colorScheme, bypassCSP: true });
    await page.route("**/assets/*.js", (route) => route.abort());
    for (const [path] of PAGES) {
      await page.goto(it.server.origin + path);
      await check(page, `${path} without scripts`);
    }
    await page.done();
  });
}
