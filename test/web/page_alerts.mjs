// Alerts: what is alarming is listed above every view, with level, key, text, place and time; it is over when it ends;
// a thousand events are one row; foreign text stays text; below each are its values and the largest keys of the minute
// before; "before" leads to the heatmap of that time.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, start } from "./browser.mjs";

const rows = () =>
	[...document.querySelectorAll(".alerts li")].map((li) => ({
		class: li.className,
		level: li.querySelector("i").textContent,
		key: li.querySelector(".key").textContent,
		text: li.querySelector(".text").textContent,
		place: li.querySelector(".place").textContent,
		why: li.querySelector(".place").title,
		time: li.querySelector("time").textContent,
		values: li.querySelector(".values")?.textContent,
		top: li.querySelector(".top")?.textContent,
		title: li.querySelector(".details")?.title,
	}));

export default async function (desk) {
	const page = await desk.run(
		[
			'alert p99(@wait) > 50ms over 2s "[critical checkout] %s takes %@d ms";',
			"int n;",
			'tick-50ms /n < 300/ { @wait["pay"] = quantize(70000000); @wait["<i>look\\n</i>"] = quantize(1000); }',
			'tick-50ms { n++; alert("[info <b>seen</b>] tick"); }',
		].join("\n"),
		{ where: "/list" },
	);

	await test("alerts: an alert over an aggregation, with its key, value, place and condition", async () => {
		await page.waitForFunction(() => document.querySelector(".alerts li.critical"));
		const all = await page.evaluate(rows),
			one = all.find((r) => r.key === "checkout pay");
		assert.deepEqual([one.class, one.level, one.text, one.place.replace(/^.*:/, ""), one.why], [
			"critical",
			"critical",
			"pay takes 133 ms",
			"1",
			"p99(@wait) > 50ms over 2s",
		]);
		assert.match(one.time, /^since \d\d:\d\d:\d\d$/);
		assert.ok(!all.some((r) => r.key.includes("look")));
	});
	await test("alerts: its values, and the largest keys of the minute before, which stay text", async () => {
		const one = (await page.evaluate(rows)).find((r) => r.key === "checkout pay");
		assert.equal(one.values, "pay, 133");
		assert.match(one.top, /^minute before: pay: 133 ms; <i>look.*<\/i>: 0 ms$/);
		assert.match(one.title, /^pay: 133 ms\n<i>look.*<\/i>: 0 ms$/s);
		assert.equal(await page.locator(".alerts .details i").count(), 0);
	});
	await test("alerts: what happens often is one row, and its text stays text", async () => {
		await page.waitForFunction(() => /, \d+ times$/.test(document.querySelector(".alerts li.info time")?.textContent));
		const seen = (await page.evaluate(rows)).filter((r) => r.level === "info");
		assert.equal(seen.length, 1);
		assert.equal(seen[0].key, "<b>seen</b>");
		assert.match(seen[0].place, /:4$/);
		assert.match(seen[0].why, /^profile:::tick-50ms$/);
	});
	await test("alerts: they are above every view, and lead to the heatmap of that time", async () => {
		await tab(page, "log");
		assert.equal(await page.isVisible(".alerts"), true);
		await page.click(".alerts li.critical button");
		assert.equal(await page.evaluate(() => erltrace.route), "heatmap");
		assert.equal(await page.evaluate(() => erltrace.views.heatmap.end === erltrace.run.status.alerts.rows.find((r) => r.level === "critical").since), true);
	});
	await test("alerts: it is over when it ends, and says from when to when", async () => {
		await page.waitForFunction(() => document.querySelector(".alerts li.critical.over"));
		const one = (await page.evaluate(rows)).find((r) => r.key === "checkout pay");
		assert.equal(one.level, "over");
		assert.match(one.time, /^\d\d:\d\d:\d\d – \d\d:\d\d:\d\d$/);
		assert.match(await page.textContent(".alerts p b"), /^1 alert, 1 over$/);
		await page.evaluate(() => erltrace.go("log"));
		await page.waitForFunction(() => ["alert", "over"].every((k) => document.querySelector(`.log li.${k}`)));
	});
	await test("alerts: many keys are counted, the newest shown", async () => {
		await start(page, 'tick-10ms { n++; alert("[k%d] many", n % 30); }');
		await page.waitForFunction(() => /^30 alerts$/.test(document.querySelector(".alerts p b").textContent));
		assert.equal(await page.locator(".alerts li").count(), 4);
		await page.click(".alerts p button");
		await page.waitForFunction(() => document.querySelectorAll(".alerts li").length === 20);
	});
	await test("alerts: without any there is no list", async () => {
		await start(page, "tick-100ms { @n = count(); }");
		await page.waitForFunction(() => erltrace.run.frames > 1 && document.querySelector(".alerts").hidden);
	});
}
