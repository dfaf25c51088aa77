// First sight, starting, stopping, errors, two pages.
import assert from "node:assert/strict";
import { test, sleep, GRACE } from "./lib.mjs";
import { state, start, write, tab } from "./browser.mjs";

const TICKS = 'tick-100ms { @n = count(); @q = quantize(n++); printf("%d", n); }';

export default async function (desk) {
	const page = desk.first;
	await test("first sight: a script runs, and there is a picture with words to it", async () => {
		await state(page, "running");
		assert.doesNotMatch(page.url(), /token/);
		await page.waitForFunction(() => erltrace.run.frames > 2 && erltrace.views.heatmap.panels?.[0]?.total > 500);
		assert.match(await page.getAttribute(".plot canvas", "aria-label"), /Heatmap of @latency: \d+ columns, [\d,]+ events/);
		const colours = await page.evaluate(() => {
			const c = document.querySelector(".plot canvas"),
				d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data,
				s = new Set();
			for (let i = 0; i < d.length; i += 4) s.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
			return s.size;
		});
		assert.ok(colours > 20, `${colours} colours`);
		assert.match(await page.textContent(".keys"), /GET \/item/);
		assert.match(await page.textContent(".caption"), /demo: request latency.*Made-up/);
		assert.match(await page.textContent(".hint"), /How to read it/);
		assert.match(await page.textContent(".cost"), /events\/s · \d+ % of a CPU/);
		await page.click(".hint button");
		assert.equal(await page.isHidden(".hint"), true);
	});
	await test("the hint stays closed", async () => {
		const p = await desk.page();
		assert.equal(await p.isHidden(".hint"), true);
		await p.close();
	});
	await test("stop, error under its token, start again", async () => {
		await page.click("button[aria-label='Stop the script']");
		await state(page, "ended");
		await page.waitForFunction(() => /^ended/.test(document.querySelector(".pill").textContent));
		await write(page, "BEGIN\n{\n\tx = nosuch;\n}\n");
		await page.waitForSelector(".check.bad");
		assert.match(await page.textContent(".check"), /line 3: .*nosuch/);
		await page.click(".side button.go");
		await page.waitForSelector(".message:not([hidden])");
		assert.match(await page.textContent(".message"), /nosuch/);
		await state(page, "failed");
		await start(page, TICKS);
		await state(page, "running");
		assert.equal(await page.isHidden(".message"), true);
	});
	await test("two pages on one script: the same numbers; it ends with the last", async () => {
		const second = await desk.page();
		const id = await page.evaluate(() => erltrace.run.id);
		assert.equal(await second.evaluate(() => erltrace.run.id), id);
		await second.waitForFunction(() => erltrace.run.frames > 2);
		assert.equal(await second.evaluate(() => erltrace.editor.text), TICKS);
		const at = (p) => p.evaluate(() => [erltrace.run.seq, [...erltrace.run.aggs.values()].find((a) => a.name === "n").elems[0].value]);
		const seen = new Map();
		let same = false;
		for (let i = 0; i < 200 && !same; i++) {
			for (const p of [page, second]) {
				const [seq, n] = await at(p),
					key = `${p === page}${seq}`,
					other = seen.get(`${p !== page}${seq}`);
				seen.set(key, n);
				if (other !== undefined) {
					assert.equal(n, other);
					same = true;
				}
			}
			await sleep(20);
		}
		assert.ok(same, "the pages never showed the same frame");
		// who joins sees what was before, column by column
		const sums = await second.evaluate(() => {
			const a = [...erltrace.run.aggs.values()].find((x) => x.name === "n");
			return [a.elems[0].value, a.columns.reduce((s, c) => s + c.total, 0)];
		});
		assert.equal(sums[1], sums[0]);
		await page.goto("about:blank");
		await sleep(1800);
		assert.ok((await desk.look.runs()).some((r) => r.id === id && r.state === "running"));
		const end = desk.gone(id);
		await second.close();
		assert.ok((await end) < 2000 + GRACE);
	});
	await test("a page can watch and stop what another has started", async () => {
		const a = await desk.run(TICKS, { name: "theirs" }),
			b = await desk.run('tick-1s { printf("b"); }');
		const id = await a.evaluate(() => erltrace.run.id);
		await tab(b, "nodes");
		await b.click(`.nodes button[aria-label="watch theirs"]:visible`);
		await b.waitForFunction((x) => erltrace.run.id === x && erltrace.run.frames > 0, id);
		await a.close();
		await b.click("button[aria-label='Stop the script']");
		await state(b, "ended");
		await b.close();
	});
}
