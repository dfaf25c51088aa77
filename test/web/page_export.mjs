// Files: the same numbers as in the page, in formats that others read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./lib.mjs";
import { tab, choose, settle } from "./browser.mjs";

const WORK = `BEGIN
{
	@n["=1+1", "a,b"] = count();
	@n["x", "\\"q\\""] = count();
	@n["x", "\\"q\\""] = count();
	@q["k"] = lquantize(5, 0, 100, 10);
	@q["k"] = lquantize(95, 0, 100, 10);
	@st["main;f"] = sum(3);
	@st["main;g<h>"] = sum(7);
}
tick-100ms { @beat = count(); printf("hello"); }`;

export default async function (desk) {
	// What BEGIN aggregates must still be in the heatmap's window, some 70 intervals, when it is exported last.
	const page = await desk.run(WORK, { where: "/list", interval: 1000 });
	const take = async (kind) => {
		await settle(page);
		const got = page
			.waitForEvent("download")
			.catch(async (e) =>
				assert.fail(`${kind} of ${await page.evaluate(() => erltrace.route)}: ${e.message}: ${await page.textContent(".message")}`),
			);
		await page.selectOption("select[aria-label=Export]", kind);
		const d = await got;
		await page.waitForTimeout(150); // Chromium takes no more than ten downloads a second
		return { name: d.suggestedFilename(), bytes: readFileSync(await d.path()) };
	};
	const wellFormed = (text) =>
		page.evaluate((t) => new DOMParser().parseFromString(t, "image/svg+xml").querySelector("parsererror") === null, text);
	const size = (b) => [b.readUInt32BE(16), b.readUInt32BE(20)];

	await test("export: CSV of a table, quoted, no formulas", async () => {
		await choose(page, "@n count()");
		const { name, bytes } = await take("csv");
		assert.match(name, /^erltrace-list-.*\.csv$/);
		assert.equal(bytes.toString(), 'key1,key2,count,events\r\n\'=1+1,"a,b",1,1\r\nx,"""q""",2,2\r\n');
	});
	await test("export: CSV of a distribution, by time and bucket", async () => {
		await choose(page, "@q lquantize()");
		const rows = (await take("csv")).bytes.toString().trim().split("\r\n");
		assert.equal(rows[0], "time,key,low,high,count");
		assert.deepEqual(
			rows.slice(1).map((r) => r.split(",").slice(1)),
			[
				["k", "0", "9", "1"],
				["k", "90", "99", "1"],
			],
		);
		assert.ok(rows.slice(1).every((r) => !Number.isNaN(Date.parse(r.split(",")[0]))));
	});
	await test("export: JSON of everything", async () => {
		const j = JSON.parse((await take("json")).bytes),
			by = Object.fromEntries(j.aggregations.map((a) => [a.name, a]));
		assert.match(j.script, /^BEGIN/);
		assert.deepEqual(
			by.st.elements.map((e) => [e.keys, e.value]),
			[
				[["main;f"], 3],
				[["main;g<h>"], 7],
			],
		);
		assert.deepEqual(by.q.elements[0].buckets, [
			[0, 9, 1],
			[90, 99, 1],
		]);
	});
	await test("export: folded stacks and speedscope", async () => {
		await tab(page, "flame");
		await choose(page, "@st sum()");
		assert.equal((await take("folded")).bytes.toString(), "main;f 3\nmain;g<h> 7\n");
		const s = JSON.parse((await take("speedscope")).bytes),
			p = s.profiles[0];
		assert.equal(s.$schema, "https://www.speedscope.app/file-format-schema.json");
		assert.deepEqual(
			s.shared.frames.map((f) => f.name),
			["main", "f", "g<h>"],
		);
		assert.deepEqual(
			[p.type, p.samples, p.weights, p.startValue, p.endValue],
			[
				"sampled",
				[
					[0, 1],
					[0, 2],
				],
				[3, 7],
				0,
				10,
			],
		);
	});
	await test("export: pictures of every view, SVG well formed, PNG twice as large", async () => {
		for (const [view, has] of [
			["flame", /g&lt;h&gt;/],
			["list", /main;g&lt;h&gt;/],
			["nodes", /this server/],
			["log", /hello/],
			["heatmap", /<rect[^>]*><title>[^<]*90 – 100: 1<\/title>/],
		]) {
			await tab(page, view);
			if (view === "heatmap") await choose(page, "@q lquantize()");
			await page.waitForFunction(() => (erltrace.draw(), erltrace.view.toSvg() !== null));
			const text = (await take("svg")).bytes.toString();
			assert.match(text, /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
			assert.ok(await wellFormed(text), `${view} is not well formed`);
			assert.match(text, has);
			const png = (await take("png")).bytes,
				[w] = size(png);
			assert.equal(png.subarray(1, 4).toString(), "PNG");
			assert.ok(Math.abs(w - 2 * Number(/width="(\d+)/.exec(text)[1])) <= 2, `${view}: ${w}`);
		}
	});
	await test("export: of the heatmap all is in it: axis, times, lines, legend, hues", async () => {
		await page.selectOption("select[aria-label='How keys are shown']", "hue");
		const text = (await take("svg")).bytes.toString();
		await page.selectOption("select[aria-label='How keys are shown']", "merged");
		for (const part of [/<path[^>]*stroke-dasharray/, />p50 /, />events in a cell · @q</, />k</, />10</]) assert.match(text, part);
	});
	await page.close();
}
