// The list against a known workload: values, sums of folded keys, sorting, filter, share, rate.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, choose, shows } from "./browser.mjs";

const WORK = `BEGIN { i = 0; }
tick-10ms
/i < 40/
{
	i++;
	@calls["shop", i % 4 ? "odd" : "even"] = count();
	@calls["bank", "one"] = count();
	@bytes["up"] = sum(10);
	@bytes["down"] = sum(30);
	@mean["a", 1] = avg(i);
	@mean["a", 2] = avg(100);
	@least["x", 1] = min(i);
	@least["x", 2] = min(i + 5);
	@most["x", 1] = max(i);
	@most["x", 2] = max(i + 5);
	@spread["s"] = lquantize(i, 0, 100, 10);
}
tick-100ms { @beat = count(); }`;

const table = () =>
	[...document.querySelectorAll(".list tbody tr")].map((r) =>
		[...r.cells].slice(0, -1).map((c, i) => (i ? c.textContent : c.lastChild.textContent)),
	);
const some = (...cols) => `(${table})().map((r) => [${cols}].map((c) => r[c]))`;
const sort = (page, name) => page.click(`.list th button:has-text("${name}")`);

export default async function (desk) {
	const page = await desk.run(WORK, { where: "/list" });
	await page.waitForFunction(() => [...erltrace.run.aggs.values()].find((a) => a.name === "bytes")?.elems[0].count === 40);

	await test("list: nested keys with sums of what is in them", async () => {
		await choose(page, "@calls count()");
		await shows(page, some(0, 1, 3, 4), [
			["bank", "40", "50.0 %", "40"],
			["one", "40", "50.0 %", "40"],
			["shop", "40", "50.0 %", "40"],
			["odd", "30", "37.5 %", "30"],
			["even", "10", "12.5 %", "10"],
		]);
	});
	await test("list: keys fold and unfold, one and all", async () => {
		await page.click(".list button[aria-label='fold shop']");
		await shows(page, some(0, 1), [
			["bank", "40"],
			["one", "40"],
			["shop", "40"],
		]);
		assert.equal(await page.getAttribute(".list button[aria-label='unfold shop']", "aria-expanded"), "false");
		await page.click("button[aria-label='Fold all keys']");
		await shows(page, some(0), [["bank"], ["shop"]]);
		await page.click("button[aria-label='Unfold all keys']");
		await shows(page, some(0), [["bank"], ["one"], ["shop"], ["odd"], ["even"]]);
	});
	await test("list: sorts by every column, both ways, and says so", async () => {
		await choose(page, "@bytes sum()");
		await shows(page, some(0, 1, 3, 4), [
			["down", "1,200", "75.0 %", "40"],
			["up", "400", "25.0 %", "40"],
		]);
		for (const col of ["key", "sum", "sum/s", "share", "events"]) await sort(page, col);
		await page.click(".list th button >> nth=0");
		await shows(page, some(0), [["down"], ["up"]]);
		await page.click(".list th button >> nth=0");
		await shows(page, some(0), [["up"], ["down"]]);
		assert.equal(await page.getAttribute(".list th >> nth=0", "aria-sort"), "descending");
		await page.click(".list th button >> nth=1");
		await shows(page, some(0), [["down"], ["up"]]);
		await page.click(".list th button >> nth=1");
		await shows(page, some(0), [["up"], ["down"]]);
		await page.click(".list th button >> nth=1");
	});
	await test("list: filters by any part of a key", async () => {
		await choose(page, "@calls count()");
		await page.fill(".list input[type=search]", "odd");
		await shows(page, some(0, 1), [
			["shop", "30"],
			["odd", "30"],
		]);
		await page.fill(".list input[type=search]", "nothing has this");
		await shows(page, some(0), []);
		await page.fill(".list input[type=search]", "");
	});
	await test("list: means weigh, least and largest are of all below", async () => {
		await choose(page, "@mean avg()");
		// 1 … 40 have a mean of 20.5; together with as many 100s 60.25
		await page.click("button[aria-label='Fold all keys']");
		await shows(page, some(0, 1, 4), [["a", "60", "80"]]);
		await page.click("button[aria-label='Unfold all keys']");
		await choose(page, "@least min()");
		await shows(page, some(0, 1), [
			["x", "1"],
			["2", "6"],
			["1", "1"],
		]);
		await choose(page, "@most max()");
		await shows(page, some(0, 1), [
			["x", "45"],
			["2", "45"],
			["1", "40"],
		]);
	});
	await test("list: a distribution has percentiles", async () => {
		await choose(page, "@spread lquantize()");
		await shows(page, some(0, 1, 2, 3, 6), [["s", "30", "50", "50", "40"]]);
	});
	await page.close();

	await test("list: rate and sparkline follow a steady workload", async () => {
		const p = await desk.run('profile-100hz /cpu == 0 || 1/ { @n["x"] = count(); }', { where: "/list", interval: 500 });
		await p.waitForFunction(() => erltrace.run.frames > 4);
		const ok = await p.evaluate(() => {
			const a = [...erltrace.run.aggs.values()][0],
				e = a.elems[0];
			const cols = a.columns.slice(1),
				total = cols.reduce((s, c) => s + c.total, 0),
				span = cols.reduce((s, c) => s + c.span, 0);
			return {
				rate: total / span,
				shown: e.rate,
				delta: e.delta,
				span: a.columns.at(-1).span,
				spark: e.spark[a.place],
				value: e.value,
				sum: a.columns.reduce((s, c) => s + c.total, 0),
			};
		});
		assert.equal(ok.spark, ok.delta);
		assert.equal(ok.value, ok.sum);
		assert.ok(Math.abs(ok.shown - ok.delta / ok.span) < 1e-6);
		await tab(p, "list");
		const inked = () => {
			const c = document.querySelector(".list tbody canvas");
			return c
				? c
						.getContext("2d")
						.getImageData(0, 0, c.width, c.height)
						.data.some((v) => v > 0)
				: false;
		};
		await shows(p, inked, true);
		assert.match(await p.getAttribute(".list tbody canvas", "aria-label"), /now \d+, at most \d+/);
		await p.close();
	});
	await test("list: ten thousand keys are cut with words, and found by the filter", async () => {
		const p = await desk.run("tick-100ms { @n = count(); }", { where: "/list" });
		await p.click("button[aria-label='Stop the script']");
		await p.waitForFunction(() => erltrace.run.over);
		await p.evaluate(() => {
			erltrace.run.frame({
				seq: 9999,
				whole: false,
				time: Date.now(),
				span: 1,
				status: {},
				aggs: [{ id: 40, name: "many", fn: "count", elems: Array.from({ length: 10000 }, (_, i) => [[`key ${i}`], i + 1, i + 1]) }],
			});
			erltrace.chosen = 40;
			erltrace.draw();
		});
		await shows(p, () => document.querySelectorAll(".list tbody tr").length, 500);
		assert.match(await p.textContent(".list .note"), /10,000 rows, the first 500 shown/);
		await p.fill(".list input[type=search]", "key 77");
		await shows(p, () => document.querySelectorAll(".list tbody tr").length, 111);
		await p.close();
	});
}
