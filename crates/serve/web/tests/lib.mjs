// A server of its own and a browser for each file of tests.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../../../..");
const PROGRAM = process.env.RECOUNT ?? join(ROOT, "target/debug/recount");

export const SHARED = resolve(ROOT, "../shared");

/** A folder for the time of the tests. */
export const folder = () => mkdtemp(join(tmpdir(), "recount-page-"));

/** Starts `recount … serve` in an empty home. */
export async function serve(...options) {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: cargo build -p recount, or set RECOUNT`);
  const home = await folder();
  const child = spawn(PROGRAM, [...options, "serve", "--no-open", "--port", "0"], {
    env: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", TZ: "UTC", RECOUNT_CACHE_DIR: join(home, "cache"), ...(process.env.RECOUNT_WEB_ASSETS && { RECOUNT_WEB_ASSETS: process.env.RECOUNT_WEB_ASSETS }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (data) => { errors += data; });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const match = /http:\/\/\S+/.exec(text);
      if (match) found(match[0]);
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${errors}`)));
  });
  const close = async () => {
    child.removeAllListeners("exit");
    const ended = new Promise((done) => { child.on("exit", done); });
    child.kill();
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  return { address, origin: new URL(address).origin, close, pid: child.pid };
}

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Waits until the page has drawn itself. */
export const ready = (page) => page.waitForFunction(() => document.documentElement.classList.contains("ready"));

/**
 * One server and one browser for a file of tests. `open(path, options)` gives a page that fails the test when a script
 * failed, a dialog opened, the policy stopped something, or a request left the server.
 */
export function setUp(begin) {
  const it = { problems: [] };
  before(async () => {
    it.server = await begin();
    it.browser = await launch();
  });
  after(async () => {
    await it.browser?.close();
    await it.server?.close();
  });
  it.open = async (path = "/", options = {}) => {
    const context = await it.browser.newContext({ viewport: { width: 1280, height: 800 }, timezoneId: "UTC", locale: "en-US", permissions: ["clipboard-read", "clipboard-write"], ...options });
    const page = await context.newPage();
    const problems = [];
    page.problems = problems;
    page.on("pageerror", (error) => problems.push(`script: ${error.stack ?? error}`));
    page.on("console", (message) => {
      // What is asked for and not there is told by the tests themselves.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    context.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${it.server.origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:")) problems.push(`request: ${url.slice(0, 200)}`);
    });
    await page.goto(it.server.address);
    if (path !== "/" || options.javaScriptEnabled === false) await page.goto(it.server.origin + path);
    if (options.javaScriptEnabled !== false) await ready(page);
    page.done = async () => {
      await context.close();
      assert.deepEqual(problems, []);
    };
    return page;
  };
  return it;
}

/** Lines of a Claude Code transcript, written by hand for a test. */
export class Transcript {
  constructor(id, cwd = "/home/dev/tests") {
    Object.assign(this, { id, cwd, parent: null, n: 0, lines: [], time: Date.parse("2026-11-20T10:00:00Z") });
  }

  uuid() {
    this.n += 1;
    return `00000000-0000-4000-8000-${String(this.n).padStart(12, "0")}`;
  }

  put(record) {
    const uuid = this.uuid();
    this.time += 1000;
    this.lines.push(JSON.stringify({
      parentUuid: this.parent, isSidechain: false, uuid, timestamp: new Date(this.time).toISOString(), userType: "external", entrypoint: "cli", cwd: this.cwd,
      sessionId: this.id, version: "2.1.332", gitBranch: "main", ...record,
    }));
    this.parent = uuid;
    return uuid;
  }

  user(content) {
    return this.put({ type: "user", promptId: this.uuid(), message: { role: "user", content }, promptSource: "typed" });
  }

  assistant(...content) {
    return this.put({
      type: "assistant",
      message: { id: `msg_${this.uuid()}`, type: "message", role: "assistant", model: "claude-sonnet-5-5", content, stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 20 } },
    });
  }

  say(text) {
    return this.assistant({ type: "text", text });
  }

  run(command, output, isError = false) {
    const id = `toolu_${this.uuid()}`;
    this.assistant({ type: "tool_use", id, name: "Bash", input: { command } });
    this.put({ type: "user", message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: output, is_error: isError }] }, toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false } });
    return id;
  }

  get text() {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  path(store) {
    return join(store, "projects", this.cwd.replaceAll("/", "-"), `${this.id}.jsonl`);
  }
}
