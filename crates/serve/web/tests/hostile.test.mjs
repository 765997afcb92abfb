// A session whose text tries to do something: it must only be read.

import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, test } from "node:test";
import { deflateSync } from "node:zlib";
import { folder, ready, serve, setUp, Transcript } from "./lib.mjs";

const store = await folder();
const id = "66666666-2222-4333-8444-555555555555";
const transcript = new Transcript(id);

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=\"alert(2)\">",
  "<svg onload=alert(3)><script>alert(3)</script></svg>",
  "<iframe src=\"https://evil.example/\"></iframe>",
  "<link rel=stylesheet href=\"https://evil.example/a.css\"><style>@import 'https://evil.example/b.css'; * { display: none }</style>",
  "<a href=\"javascript:alert(4)\">a link</a> [another](javascript:alert(5)) [third](data:text/html,<script>alert(6)</script>) [fourth](JAVA\tSCRIPT:alert(7))",
  "![picture](https://evil.example/pixel.png) ![p](//evil.example/p.png)",
  "<details open ontoggle=alert(8)>x</details><body onload=alert(9)><input autofocus onfocus=alert(10)>",
  "<form action=\"https://evil.example\"><button>Send</button></form><base href=\"https://evil.example/\"><meta http-equiv=refresh content=\"0;url=https://evil.example\">",
  "</div></article></main><script>alert(11)</script><textarea><title></pre></code>",
  "\u202Egnp.elif txet\u202C \u2066hidden\u2069 \u200Bzero\u200B \u0007bell \u001B[31mred\u001B[0m \u0000nul \uFEFF",
  "{{constructor.constructor('alert(12)')()}} ${alert(13)} <%= alert(14) %>",
  "&lt;script&gt;alert(15)&lt;/script&gt; &#60;script&#62;alert(16)&#60;/script&#62;",
];

/** A PNG that says to have so many pixels. */
function picture(width, height) {
  const crcs = Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1; return c >>> 0; });
  const crc = (bytes) => { let c = 0xffffffff; for (const byte of bytes) c = crcs[(c ^ byte) & 255] ^ (c >>> 8); return (c ^ 0xffffffff) >>> 0; };
  const part = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), part("IHDR", head), part("IDAT", deflateSync(Buffer.alloc(4096))), part("IEND", Buffer.alloc(0))]).toString("base64");
}
const image = (data, type = "image/png") => ({ type: "image", source: { type: "base64", media_type: type, data } });

transcript.lines.push(JSON.stringify({ type: "custom-title", customTitle: "<img src=x onerror=alert('title')> \u202Eevil", sessionId: id }));
transcript.cwd = "/home/dev/tests";
for (const attack of ATTACKS) {
  transcript.user(attack);
  transcript.say(attack);
  transcript.say(`\`\`\`html\n${attack}\n\`\`\`\n\n| ${attack.replaceAll("\n", " ").replaceAll("|", "")} | b |\n|---|---|\n| c | d |`);
  transcript.assistant({ type: "thinking", thinking: attack, signature: "x" });
  transcript.run(attack, attack);
}
transcript.user([image(picture(60_000, 60_000)), image(picture(2, 2)), image(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(17)'/>").toString("base64"), "image/svg+xml"), image("\" onerror=alert(18) x=\"")]);
const LINE = 5_000_000;
transcript.run("cat one-line", `${"x".repeat(LINE)} the end of the line`);
transcript.say(`${"wide".repeat(5000)} **${"*".repeat(20_000)} ${"[".repeat(20_000)} ${"> ".repeat(2000)}`);
transcript.user("The last word");
await mkdir(dirname(transcript.path(store)), { recursive: true });
await writeFile(transcript.path(store), transcript.text);
after(() => rm(store, { recursive: true, force: true }));

const it = setUp(() => serve("--store", `claude-code=${store}`));

/** How long the page takes until it answers. */
const pause = (page) => page.evaluate(() => new Promise((done) => {
  const start = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
}));

async function through(page) {
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < await height(); at += 700) {
    await page.evaluate((to) => scrollTo(0, to), at);
    await page.waitForTimeout(60);
  }
}

test("nothing runs, opens, loads or leaves", async () => {
  const page = await it.open("/");
  await page.locator("tr[data-id] a.title").first().click();
  await page.waitForURL(/\/s\//u);
  await ready(page);
  await page.keyboard.press("o");
  await through(page);
  const found = await page.evaluate(() => ({
    scripts: [...document.querySelectorAll("main script, main iframe, main object, main embed, main form, main base, main meta, main link, main style, main svg script")].length,
    handlers: [...document.querySelectorAll("main *")].filter((node) => [...node.attributes].some(({ name }) => name.startsWith("on"))).length,
    links: [...document.querySelectorAll("main a[href]")].map((link) => link.protocol).filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol)),
    images: [...document.querySelectorAll("main img")].map((node) => new URL(node.src).origin).filter((origin) => origin !== location.origin && origin !== "null"),
    styled: [...document.querySelectorAll(".body [style]")].length,
  }));
  assert.deepEqual(found, { scripts: 0, handlers: 0, links: [], images: [], styled: 0 });
  // The page's own parts are still there.
  assert.ok(await page.locator("header.top").isVisible());
  assert.equal(await page.evaluate(() => document.baseURI.startsWith(location.origin)), true);
  await page.done();
});

test("what is invisible or turns text around is shown as what it is", async () => {
  const page = await it.open(`/s/${id}`);
  await page.fill(".finder input", "gnp.elif");
  await page.locator("article .user", { hasText: "gnp.elif" }).first().waitFor();
  const text = await page.locator("article .user", { hasText: "gnp.elif" }).first().innerText();
  assert.match(text, /U\+202E/u);
  assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u0007\u001B]/u);
  assert.doesNotMatch(await page.locator("h1").innerText(), /[\u202A-\u202E\u2066-\u2069]/u);
  assert.doesNotMatch(await page.title(), /[\u202A-\u202E\u2066-\u2069]/u);
  await page.goto(`${it.server.origin}/`);
  await ready(page);
  assert.doesNotMatch(await page.locator("main").innerText(), /[\u202A-\u202E\u2066-\u2069]/u);
  await page.done();
});

test("image bombs are not unpacked, small pictures are shown", async () => {
  const page = await it.open(`/s/${id}`);
  const bomb = await page.evaluate(async (session) => {
    const { total } = await (await fetch(`/api/sessions/${session}/items?limit=1`)).json();
    const { items } = await (await fetch(`/api/sessions/${session}/items?from=${total - 6}&limit=6`)).json();
    return items.find((item) => item.html.includes("too large")).id;
  }, id);
  await page.goto(`${it.server.origin}/s/${id}#item-${bomb}`);
  await page.reload();
  await ready(page);
  await page.locator("article .note", { hasText: "too large" }).first().waitFor();
  const images = page.locator("article .user img");
  assert.equal(await images.count(), 1);
  await images.first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("article .user img")?.naturalWidth === 2);
  await page.done();
});

test("a line of 5 MB is cut, comes whole when asked for, and the page stays quick", async () => {
  const page = await it.open(`/s/${id}`);
  await page.fill(".finder input", "cat one-line");
  const call = page.locator("article.current details.call", { hasText: "cat one-line" });
  await call.locator("summary").click();
  assert.ok(await call.evaluate((node) => node.textContent.length) < 200_000);
  assert.ok(await pause(page) < 1000);
  await call.locator("button.more").click();
  await page.waitForFunction((length) => [...document.querySelectorAll("details.call")].some((node) => node.textContent.length > length), LINE);
  const answer = await pause(page);
  assert.ok(answer < 1500, `${answer} ms`);
  // What stands in the part that was cut is found there.
  await page.reload();
  await ready(page);
  await page.fill(".finder input", "the end of the line");
  await page.waitForFunction(() => CSS.highlights.get("find")?.size > 0);
  assert.ok(await pause(page) < 1500);
  await page.locator(".finder input").blur();
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await page.locator("article[aria-posinset='1']").waitFor();
  assert.ok(await pause(page) < 1000);
  await page.done();
});

test("hostile text does nothing in lists, search, timeline, findings and pages without scripts either", async () => {
  const page = await it.open("/");
  for (const path of ["/search?q=alert", `/s/${id}/timeline`, "/findings", "/usage", "/files", "/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/files?path=%3Cimg%20src=x%20onerror=alert(1)%3E"]) {
    await page.goto(it.server.origin + path);
    await ready(page);
    await page.waitForTimeout(100);
  }
  await page.done();
  const plain = await it.open(`/s/${id}`, { javaScriptEnabled: false });
  assert.equal(await plain.locator("main script, main iframe, main form, main style, main base").count(), 0);
  await plain.done();
});
