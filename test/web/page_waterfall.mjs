// The waterfall against known requests: rows, bars, own time, order, search, keyboard, themes, export.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, settle, shows } from "./browser.mjs";

// Three servers of a request that took 100 ms, one of another that took 10 ms; a third comes later and is slowest.
const HOP = (id, at, wait, run, depth, n, what, reply, total) =>
	`@waterfall[${id}, ${at}000000, ${wait}000000, ${run}000000, ${depth}, "<0.9${n}.0>", "server${n}", "${what}", "${reply}"] = max(${total}000000);`;
const WORK = `tick-50ms
{
	${HOP(7, 0, 20, 80, 0, 1, "{order,1}", "ok", 100)}
	${HOP(7, 30, 0, 50, 1, 2, "{take,1}", "ok", 100)}
	${HOP(7, 40, 10, 30, 2, 3, "read", "{error,<b>}", 100)}
	${HOP(7, 85, 0, 10, 1, 4, "log", "ok", 100)}
	${HOP(8, 0, 0, 10, 0, 3, "read", "ok", 10)}
	@beat = count();
}
tick-50ms
/++i > 20/
{
	${HOP(9, 0, 190, 10, 0, 1, "late", "ok", 200)}
}`;
const LATE = 3;

const rows = () => erltrace.views.waterfall.list.map((r) => [r.total / 1e6, ...r.hops.map((x) => `${"·".repeat(x.depth)}${x.name} ${x.what}`)]);
// The bars of a row: [where it begins, how wide it is, in ms of its request], without the row's ground.
const bars = (label) => {
	const v = erltrace.views.waterfall,
		e = [...v.rows.values()].find((x) => x.hop && x.g.getAttribute("aria-label").startsWith(label)),
		w = Number(v.svg.getAttribute("width")),
		left = Math.min(w * 0.45, 420),
		most = v.same ? Math.max(...v.list.map((r) => r.total)) : e.r.total,
		scale = (w - left - 12) / (most / 1e6);
	return [...e.g.querySelectorAll("rect:not(.ground)")].map((b) => [
		Math.round((Number(b.getAttribute("x")) - left) / scale),
		Math.round(Number(b.getAttribute("width")) / scale),
	]);
};
const note = (page) => page.textContent(".view .note");
const FIRST = [100, "server1 {order,1}", "·server2 {take,1}", "··server3 read", "·server4 log"],
	SHORT = [10, "server3 read"],
	LAST = [200, "server1 late"];

export default async function (desk) {
	const page = await desk.run(WORK, { where: "/waterfall" });
	await test("waterfall: requests with their servers in the order they were asked, and one that comes later", async () => {
		await shows(page, rows, [LAST, FIRST, SHORT]);
		assert.equal(await page.evaluate(() => erltrace.views.waterfall.list.length), LATE);
	});
	await test("waterfall: bars are waiting, running, and of that the server's own work", async () => {
		await settle(page);
		assert.deepEqual(await page.evaluate(bars, "<0.91.0> server1: {order,1}"), [
			[0, 20],
			[20, 80],
			[20, 10],
			[80, 5],
			[95, 5],
		]);
		assert.deepEqual(await page.evaluate(bars, "<0.92.0> server2"), [
			[30, 50],
			[30, 10],
		]);
		assert.deepEqual(await page.evaluate(bars, "<0.93.0> server3: read → {error"), [
			[40, 10],
			[50, 30],
			[50, 30],
		]);
	});
	await test("waterfall: pointing at a row tells of it, and a screen reader hears the same", async () => {
		const said = "<0.92.0> server2: {take,1} → ok; asked at 30 ms, waited 0, ran 50 ms, 10 ms of it itself";
		await page.locator(".waterfall .hop[aria-label*='server2']").hover();
		assert.equal(await note(page), said);
		assert.equal(await page.getAttribute(".waterfall .hop[aria-label*='server2']", "aria-label"), said);
		assert.equal(await page.textContent(".waterfall .hop[aria-label*='server2'] title"), said);
		// what the pointer is on stays when the row is drawn again, so that its leaving is noticed
		const box = await page.locator(".waterfall .hop[aria-label*='server2']").boundingBox();
		const at = [box.x + box.width / 2, box.y + box.height / 2];
		assert.ok(
			await page.evaluate((x) => {
				const before = document.elementFromPoint(...x);
				erltrace.draw();
				return before.isConnected && before === document.elementFromPoint(...x);
			}, at),
		);
		await page.mouse.move(5, 400);
		await page.waitForFunction(() => document.querySelector(".view .note").textContent.startsWith("3 requests."));
	});
	await test("waterfall: arrows go from row to row and keep their place while numbers come in", async () => {
		const focused = () => document.activeElement.getAttribute("aria-label")?.split(";")[0];
		await page.focus(".waterfall .hop");
		assert.equal(await page.evaluate(focused), "<0.91.0> server1: late → ok");
		await page.keyboard.press("PageDown");
		assert.equal(await page.evaluate(focused), "<0.91.0> server1: {order,1} → ok");
		await page.keyboard.press("ArrowDown");
		assert.equal(await page.evaluate(focused), "<0.92.0> server2: {take,1} → ok");
		const n = await page.evaluate(() => erltrace.run.frames);
		await page.waitForFunction((x) => erltrace.run.frames > x + 2, n);
		assert.equal(await page.evaluate(focused), "<0.92.0> server2: {take,1} → ok");
		assert.match(await note(page), /^<0\.92\.0> server2/);
		await page.keyboard.press("End");
		assert.equal(await page.evaluate(focused), "<0.93.0> server3: read → ok");
		await page.keyboard.press("PageUp");
		assert.equal(await page.evaluate(focused), "<0.91.0> server1: {order,1} → ok");
		await page.keyboard.press("Home");
		await page.keyboard.press("ArrowUp");
		assert.equal(await page.evaluate(focused), "<0.91.0> server1: late → ok");
	});
	await test("waterfall: newest first, search, one scale for all", async () => {
		await page.selectOption("select[aria-label='Order']", "newest");
		await shows(page, () => erltrace.views.waterfall.list[0].total, 200e6);
		await page.selectOption("select[aria-label='Order']", "slowest");
		await page.fill("input[aria-label='Search requests']", "TAKE");
		await shows(page, rows, [FIRST]);
		await page.fill("input[aria-label='Search requests']", "");
		await shows(page, rows, [LAST, FIRST, SHORT]);
		await page.check("label:has-text('one scale for all') input");
		assert.deepEqual(await page.evaluate(bars, "<0.93.0> server3: read → ok"), [
			[0, 10],
			[0, 10],
		]);
		await page.uncheck("label:has-text('one scale for all') input");
	});
	await test("waterfall: a picture of its own for a file, light and dark, with foreign text as text", async () => {
		const got = [];
		for (const theme of ["light", "dark"]) {
			got.push(
				await page.evaluate((t) => {
					document.documentElement.dataset.theme = t;
					erltrace.draw();
					return new XMLSerializer().serializeToString(erltrace.views.waterfall.toSvg());
				}, theme),
			);
		}
		assert.match(got[0], /server2 {2}\{take,1\}/);
		assert.match(got[0], /\{error,&lt;b&gt;\}/);
		assert.match(got[0], /fill="#ffffff"/);
		assert.match(got[1], /fill="#171d26"/);
		await page.evaluate(() => delete document.documentElement.dataset.theme);
	});
	await test("waterfall: a request whose beginning is gone is not shown, and other aggregations are none", async () => {
		const p = await desk.run(`tick-50ms { ${HOP(1, 5, 1, 1, 1, 1, "x", "y", 9)} @n = count(); }`, { where: "/waterfall" });
		await p.waitForFunction(() => erltrace.run.aggs.size === 2);
		await settle(p);
		assert.equal(await note(p), "No request was slow enough yet.");
		await p.close();
		const q = await desk.run("tick-50ms { @n[1, 2] = count(); }", { where: "/waterfall" });
		await shows(q, () => document.querySelector(".view .note").textContent, "An aggregation @waterfall shows requests: start the ready script request-path on a node.");
		await tab(q, "list");
		await q.close();
	});
	await page.close();
}
