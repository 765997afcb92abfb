// Pictures of every page on the sample stores: light and dark, wide and phone. `node screenshots.mjs FOLDER`

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, ready, serve } from "./lib.mjs";

const target = process.argv[2];
if (!target) {
  console.error("usage: scripts/screenshots FOLDER");
  process.exit(2);
}
await mkdir(target, { recursive: true });

const SHOTS = [
  ["sessions", "/"],
  ["sessions-search", "/", async (page) => { await page.fill("#filter", "cart"); await page.locator("a.hit").first().waitFor(); }],
  ["session", "/s/6513270e-269e-4d37-b2a7-4de452e6b438"],
  ["session-open", "/s/6513270e-269e-4d37-b2a7-4de452e6b438", async (page) => {
    await page.keyboard.press("o");
    await page.keyboard.press("]");
    await page.locator("details.nested > summary").first().click();
    await page.locator("details.nested .item").first().waitFor();
  }],
  ["session-find", "/s/01a19c92-0e20-701a-8000-000032b73eb6", async (page) => {
    await page.fill(".finder input", "limit");
    await page.locator("output.found", { hasText: "of" }).waitFor();
  }],
  ["session-branches", "/s/57124242-5051-41cc-917f-9acae01f5057"],
  ["session-images", "/s/019f3622-51d8-7aa0-b0f4-c29e7d1a3b64"],
  ["timeline", "/s/01a19c92-0e20-701a-8000-000032b73eb6/timeline", async (page) => {
    if (page.viewportSize().width > 600) await page.locator("rect.span").nth(6).hover();
  }],
  ["usage", "/usage", async (page) => {
    await page.locator("svg.plot").first().focus();
    await page.keyboard.press("End");
  }],
  ["search", "/search?q=cart"],
  ["files", "/files"],
  ["file", "/files?path=src/cart.rs"],
  ["formats", "/formats"],
  ["format", "/formats/codex/session_meta"],
  ["findings", "/findings"],
  ["missing", "/s/nothing"],
  ["keys", "/s/6513270e-269e-4d37-b2a7-4de452e6b438", (page) => page.keyboard.press("?")],
];

const server = await serve("--sample");
const browser = await launch();
try {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of [["wide", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", timezoneId: "UTC", locale: "en-US" });
      const page = await context.newPage();
      await page.goto(server.address);
      for (const [name, path, act] of SHOTS) {
        await page.goto(server.origin + path);
        await ready(page);
        await page.waitForTimeout(300);
        await act?.(page);
        await page.waitForTimeout(200);
        await page.screenshot({ path: join(target, `${name}-${colorScheme}-${size}.png`) });
      }
      await page.goto(`${server.origin}/usage`);
      await ready(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(target, `usage-whole-${colorScheme}-${size}.png`), fullPage: true });
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
