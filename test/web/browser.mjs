// A server, a browser and pages on it, for the tests of the page. Errors in pages are noticed: `errors`.
import assert from "node:assert/strict";
import net from "node:net";
import { Server, Client, launch, PATIENCE, until } from "./lib.mjs";

export class Desk {
	static async open(program, args = []) {
		const d = new Desk();
		d.errors = [];
		d.program = program;
		d.server = new Server(program, process.env.SCRIPTS ? ["--scripts", process.env.SCRIPTS, ...args] : args);
		d.url = await d.server.url();
		d.browser = await launch();
		d.context = await d.newContext();
		// the token is spent in the browser
		const first = await d.context.newPage();
		d.watch(first);
		d.first = first;
		await first.goto(d.url.href);
		const key = await first.evaluate(() => JSON.parse(localStorage.getItem("erltrace.key")));
		d.server.entry = { cookie: (await d.context.cookies()).map((c) => `${c.name}=${c.value}`)[0], key };
		d.look = await Client.open(d.server);
		return d;
	}

	// A new browser context, with the same cookie if there is one already.
	async newContext(options = {}) {
		const c = await this.browser.newContext({ viewport: { width: 1360, height: 800 }, acceptDownloads: true, ...options });
		c.setDefaultTimeout(PATIENCE);
		if (this.context) {
			await c.addCookies(await this.context.cookies());
			await c.addInitScript(([at, key]) => location.origin === at && localStorage.setItem("erltrace.key", JSON.stringify(key)), [this.url.origin, (await this.server.session()).key]);
		}
		return c;
	}

	watch(page) {
		page.on("pageerror", (e) => this.errors.push(`${e.message} ${e.stack?.split("\n")[1] ?? ""}`));
		page.on("console", (m) => {
			if (m.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(m.text())) this.errors.push(m.text());
		});
	}

	// Opens a page at another address of the server, for which the browser keeps nothing.
	async at(port, where) {
		return `http://127.0.0.1:${port}${where}#key=${(await this.server.session()).key}`;
	}

	async page(where = "/", context = this.context) {
		const page = await context.newPage();
		this.watch(page);
		await page.goto(this.url.origin + where);
		await page.waitForFunction(() => globalThis.erltrace?.run?.info?.state === "running" || globalThis.erltrace?.linked);
		return page;
	}

	// Runs a script on a new page, until its first numbers are there.
	async run(script, { where = "/", interval = 100, context, name = "test" } = {}) {
		const page = await this.page(where, context);
		await page.selectOption("select[aria-label=Interval]", String(interval));
		await start(page, script, name);
		await page.waitForFunction(() => erltrace.run.frames > 0);
		return page;
	}

	// Waits until a script is gone; returns ms.
	gone(id) {
		const going = (r) => r.id === id && /starting|running|stopping/.test(r.state);
		const from = Date.now();
		return this.look.next((m) => m.t === "runs" && !m.runs.some(going), PATIENCE).then(() => Date.now() - from);
	}

	// Closes what a failed test has left open.
	async tidy() {
		for (const p of this.context.pages()) if (p !== this.first) await p.close();
		if (!this.first.url().startsWith("about:")) await this.first.goto("about:blank");
	}

	async close() {
		await this.look.close();
		await this.browser.close();
		assert.equal((await this.server.stop()).code, 0);
	}
}

export const write = (page, text) => page.evaluate((t) => (erltrace.editor.text = t), text);
export const tab = (page, v) => page.click(`nav a[data-view=${v}]`);
export const state = (page, s) => page.waitForFunction((x) => erltrace.run?.info?.state === x, s);
export async function start(page, script, name) {
	await write(page, script);
	if (name) await page.evaluate((n) => (erltrace.name = n), name);
	await page.click(".side button.go");
	await page.waitForFunction((t) => erltrace.run?.info?.script === t && erltrace.run.info.state !== "starting", script);
}
export const choose = (page, label) => page.selectOption("select[aria-label=Aggregation]", { label });

// Draws the current state now, so that tests do not read the frame before.
export const settle = (page) => page.evaluate(() => erltrace.draw());

// Waits until a function in the page returns what is wanted.
export async function shows(page, f, wanted, arg) {
	let got;
	try {
		await until(
			"",
			async () => {
				got = await page.evaluate(f, arg);
				try {
					assert.deepEqual(got, wanted);
					return true;
				} catch {
					return false;
				}
			},
			PATIENCE,
		);
	} catch {
		assert.deepEqual(got, wanted);
	}
}

// Sits between browser and server; cut() leaves both ends open and carries nothing more.
export function cable(port) {
	const pairs = new Set();
	let off = false;
	const server = net.createServer((a) => {
		const b = net.connect(port, "127.0.0.1");
		for (const [x, y] of [
			[a, b],
			[b, a],
		]) {
			pairs.add(x);
			x.on("data", (d) => {
				if (!off) y.write(d);
			});
			x.on("error", () => {});
			x.on("close", () => {
				if (!off) y.destroy();
			});
		}
	});
	const close = () => {
		for (const p of pairs) p.destroy();
		server.close();
	};
	// what was in flight when it was cut never arrives
	const mend = () => {
		for (const p of pairs) p.destroy();
		pairs.clear();
		off = false;
	};
	return new Promise((r) =>
		server.listen(0, "127.0.0.1", () => r({ port: server.address().port, cut: () => (off = true), mend, close })),
	);
}
