// Connections that end: the page says so, comes back, and nothing runs on behind it.
import assert from "node:assert/strict";
import { test, sleep, Server, GRACE } from "./lib.mjs";
import { state, start, cable } from "./browser.mjs";

export default async function (desk) {
	await test("states: a tab that is killed ends its script", async () => {
		const p = await desk.run("tick-100ms { @n = count(); }");
		const id = await p.evaluate(() => erltrace.run.id),
			cdp = await desk.context.newCDPSession(p),
			end = desk.gone(id);
		cdp.send("Page.crash").catch(() => {});
		assert.ok((await end) < 2000 + GRACE);
		await p.close().catch(() => {});
	});
	await test("states: a cut network: the script ends, the page says so, comes back, and can start again", async () => {
		const line = await cable(desk.url.port),
			p = await desk.context.newPage();
		await p.goto(await desk.at(line.port, "/list"));
		await state(p, "running");
		await start(p, "tick-100ms { @n = count(); }");
		await p.waitForFunction(() => erltrace.run.frames > 1);
		const id = await p.evaluate(() => erltrace.run.id),
			end = desk.gone(id);
		line.cut();
		assert.ok((await end) < 2000 + GRACE);
		await p.waitForFunction(() => document.querySelector(".pill").textContent === "no connection");
		assert.match(await p.textContent(".message"), /connection to the server is lost/);
		assert.equal(await p.isDisabled(".side button.go"), true);
		const rows = await p.$$eval(".list tbody tr", (r) => r.length);
		assert.ok(rows > 0, "what was found stays");
		line.mend();
		await p.waitForFunction(() => /Connected again/.test(document.querySelector(".message").textContent));
		assert.match(await p.textContent(".pill"), /ended: the connection was lost/);
		assert.equal(await p.$$eval(".list tbody tr", (r) => r.length), rows);
		await p.click("button:has-text('Start again')");
		await state(p, "running");
		assert.equal(await p.isHidden(".message"), true);
		await p.close();
		line.close();
	});
	await test("states: a page that comes back while its script still runs goes on watching it", async () => {
		const line = await cable(desk.url.port),
			other = await desk.run("tick-100ms { @n = count(); }"),
			p = await desk.context.newPage();
		await p.goto(await desk.at(line.port, "/list"));
		await state(p, "running");
		const id = await other.evaluate(() => erltrace.run.id);
		assert.equal(await p.evaluate(() => erltrace.run.id), id);
		line.cut();
		await p.waitForFunction(() => document.querySelector(".pill").textContent === "no connection");
		line.mend();
		await p.waitForFunction(() => document.querySelector(".pill").textContent === "running");
		const n = await p.evaluate(() => erltrace.run.frames);
		await p.waitForFunction((x) => erltrace.run.frames > x, n);
		assert.equal(await p.isHidden(".message"), true, await p.textContent(".message"));
		await other.close();
		await p.close();
		line.close();
	});
	await test("states: a server that has ended is said to be gone", async () => {
		const server = new Server(desk.program),
			u = await server.url(),
			p = await desk.context.newPage();
		await p.goto(u.href);
		await state(p, "running");
		await server.stop();
		await p.waitForFunction(() => document.querySelector(".pill").textContent === "no connection");
		assert.match(await p.textContent(".message"), /started anew, open the URL/);
		await p.close();
	});
	await test("states: a script that ends by itself stays to be seen", async () => {
		const p = await desk.run('BEGIN { @n["x"] = count(); } tick-300ms { exit(3); }', { where: "/list" });
		await state(p, "ended");
		await p.waitForFunction(() => document.querySelector(".list tbody tr")?.cells[1].textContent === "1");
		await sleep(1500);
		assert.match(await p.textContent(".pill"), /^ended/);
		assert.equal(await p.$$eval(".list tbody tr", (r) => r.length), 1);
		await p.close();
	});
	await test("states: a script that the overhead guard has ended says so, and what to do", async () => {
		const p = await desk.run("tick-100ms { @n = count(); }", { where: "/nodes" });
		await p.waitForFunction(() => erltrace.run.info.nodes);
		await p.evaluate(() => {
			const i = erltrace.run.info,
				end = {
					...i,
					state: "ended",
					guard: true,
					why: "stopped by the overhead guard",
					nodes: [{ ...i.nodes[0], state: "ended", guard: true, limit: 25 }],
				};
			erltrace.link.take(JSON.stringify({ t: "runs", cpu: 0, clients: 1, runs: [end] }));
			erltrace.draw();
		});
		assert.match(await p.textContent(".message"), /overhead guard.*more than 25 %.*maxoverhead/);
		assert.match(await p.textContent(".pill"), /ended: stopped by the overhead guard/);
		assert.equal(await p.evaluate(() => document.querySelector(".nodes tbody tr").cells[9].textContent), "tripped");
		await p.close();
	});
	await test("states: the printed URL logs in, a reload and another tab too; logging out ends all of it", async () => {
		const server = new Server(desk.program),
			u = await server.url(),
			context = await desk.browser.newContext(),
			p = await context.newPage();
		await p.goto(u.href);
		await state(p, "running");
		assert.equal(p.url(), `${u.origin}/`, "neither token nor key stay in the address");
		await p.reload();
		await state(p, "running");
		const other = await context.newPage();
		await other.goto(`${u.origin}/list`);
		await other.waitForFunction(() => globalThis.erltrace?.online);
		// what a server on another port is given, the cookie, is not enough
		const thief = await desk.browser.newContext();
		await thief.addCookies(await context.cookies());
		const t = await thief.newPage();
		await t.goto(u.origin);
		await t.waitForFunction(() => /Not logged in/.test(document.querySelector(".message")?.textContent));
		assert.equal(await t.evaluate(() => erltrace.hello), null);
		await p.click("button[aria-label='Log this browser out']");
		for (const x of [p, other]) await x.waitForFunction(() => document.querySelector(".pill").textContent === "no connection");
		assert.match(await p.textContent(".message"), /Logged out/);
		assert.equal((await p.goto(u.origin)).status(), 401);
		for (const c of [context, thief]) await c.close();
		await server.stop();
	});
}
