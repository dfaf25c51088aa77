// What the tests of the page share: the server, clients, and assertions.
import { spawn } from "node:child_process";
import readline from "node:readline";
import { createRequire } from "node:module";
import path from "node:path";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";

// playwright-core and ws come from NODE_PATH or from here upwards.
const require = createRequire(process.env.NODE_PATH ? path.join(process.env.NODE_PATH, "x.js") : import.meta.url);
export const WebSocket = require("ws");

// A browser that asks nobody for anything, with a profile of its own.
export function launch(args = []) {
	return require("playwright-core").chromium.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", ...args],
	});
}

export const hasChromium = () => existsSync(process.env.CHROMIUM || "/usr/bin/chromium");

export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

// Tests wait for what they want, and wait long, because the machine may be busy. Assertions about time allow this much
// grace; with STRICT=1 none.
// How many times more wants to run than the processors account for, at most 6, as in test/runner.c.
const CROWD = Math.min(6, Math.max(1, loadavg()[0] / (2 * cpus().length + 1)));
export const PATIENCE = 30000 * CROWD, GRACE = process.env.STRICT ? 200 : (process.env.SAN ? 6000 : 3000) * CROWD;
export async function until(what, holds, ms = PATIENCE) {
	const from = Date.now();
	while (!(await holds())) {
		if (Date.now() - from > ms) throw new Error(`not within ${ms} ms: ${what}`);
		await sleep(20);
	}
	return Date.now() - from;
}
export function scratch() {
	const dir = mkdtempSync(path.join(tmpdir(), "erltrace-web-"));
	process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

export const keyOf = (location) => /#key=([0-9a-f]{32})$/.exec(location)?.[1];
export const sessionOf = (r) => ({ cookie: r.headers.get("set-cookie")?.split(";")[0], key: keyOf(r.headers.get("location")) });

export class Server {
	constructor(program, args = []) {
		// the machine may be busy
		const time = args.includes("--deadline") ? [] : ["--deadline", "120"];
		this.child = spawn(program, ["serve", "--port", "0", ...time, ...args], { stdio: ["pipe", "pipe", "pipe"] });
		process.on("exit", () => this.child.kill("SIGKILL"));
		this.err = "";
		this.urls = [];
		this.child.stderr.on("data", (d) => (this.err += d));
		this.ended = new Promise((r) => this.child.on("exit", (code, signal) => r({ code, signal })));
		this.lines = readline.createInterface({ input: this.child.stdout });
		this.lines.on("line", (l) => { this.urls.push(l); this.onurl?.(); });
	}
	async url() {
		const n = this.urls.length;
		if (!n) await new Promise((r, no) => { this.onurl = r; this.ended.then(() => no(new Error(`the server ended: ${this.err}`))); });
		return new URL(this.urls.at(-1));
	}
	// Gets a session by using up the token: the cookie, and the key behind the # of the address.
	session() {
		this.entry ??= this.url().then((u) => fetch(u, { redirect: "manual" })).then(sessionOf);
		return this.entry;
	}
	async cookie() { return (await this.session()).cookie; }
	// Another URL, as SIGUSR1 gives one.
	async another() {
		const n = this.urls.length;
		this.child.kill("SIGUSR1");
		await until("another URL is printed", () => this.urls.length > n);
		return new URL(this.urls.at(-1));
	}
	async stop() {
		this.child.kill("SIGTERM");
		return this.ended;
	}
}

process.setMaxListeners(0); // one for each server and folder
let opened = []; // by the test that runs now

// A page without a browser: speaks docs/protocol.md.
export class Client {
	// enter: the session's secrets, {cookie, key}; if key is null, the first message is not sent.
	static async open(server, { path: where = "/ws", acks = true, headers = {}, enter } = {}) {
		const c = new Client(), u = await server.url(), session = enter ?? (await server.session());
		opened.push(c);
		c.got = [];
		c.waits = [];
		c.req = 0;
		c.ws = new WebSocket(`${u.protocol === "https:" ? "wss" : "ws"}://${u.host}${where}`, { headers: { cookie: session.cookie, ...headers }, maxPayload: 64 << 20, ca: server.ca });
		c.closed = new Promise((r) => c.ws.on("close", (code) => { c.gone = true; r(code); }));
		c.ws.on("error", () => {});
		c.ws.on("message", (d) => {
			const m = JSON.parse(d.toString());
			if (acks && (m.t === "frame" || m.t === "log")) c.send({ t: "ack" });
			c.got.push(m);
			for (const w of [...c.waits]) if (w.test(m)) { c.waits.splice(c.waits.indexOf(w), 1); w.done(m); }
		});
		await new Promise((r, no) => { c.ws.on("open", r); c.ws.on("close", () => no(new Error("refused"))); });
		if (session.key === null) return c;
		c.send({ t: "enter", key: session.key });
		if (where !== "/ws") return c;
		const first = await Promise.race([c.wait((m) => m.t === "hello" || m.t === "refused"), c.closed]);
		if (first?.t !== "hello") throw new Error(`refused: ${first?.msg}`);
		return c;
	}
	send(m) { if (this.ws.readyState === 1) this.ws.send(typeof m === "string" ? m : JSON.stringify(m)); }
	wait(test, ms = PATIENCE) {
		const old = this.got.find(test);
		if (old) return Promise.resolve(old);
		return this.next(test, ms);
	}
	next(test, ms = PATIENCE) {
		return new Promise((done, no) => {
			const t = setTimeout(() => no(new Error(`nothing came within ${ms} ms: ${test}`)), ms);
			this.waits.push({ test, done: (m) => { clearTimeout(t); done(m); } });
		});
	}
	ask(m, ms) {
		const req = ++this.req;
		this.send({ ...m, req });
		return this.wait((x) => x.req === req, ms);
	}
	async runs() { return (await this.next((m) => m.t === "runs")).runs; }
	close() { this.ws.close(); return this.closed; }
}

let failed = 0, passed = 0, skipped = 0;
const only = process.env.ONLY;
// `why`: if given, the test is not run, for this reason.
export async function test(name, body, why) {
	if (only && !name.includes(only)) return;
	if (why) {
		skipped++;
		console.log(`skip  ${name}: ${why}`);
		return;
	}
	opened = [];
	try {
		await body();
		passed++;
		console.log(`ok    ${name}`);
	} catch (e) {
		failed++;
		console.log(`FAIL  ${name}\n      ${e.stack.split("\n").slice(0, 30).join("\n      ")}`);
		// so that the next one finds things as they should be
		for (const c of opened) c.ws?.terminate();
		await sleep(300);
	}
}
export function summary() {
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	if (process.env.COUNTS) writeFileSync(process.env.COUNTS, `${passed} ${failed} ${skipped}\n`);
	return failed ? 1 : 0;
}
