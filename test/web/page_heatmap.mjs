// The heatmap against a known workload: cells, scales, percentiles, selection, keys, time.
import assert from "node:assert/strict";
import { test, until } from "./lib.mjs";
import { settle, shows, choose, start } from "./browser.mjs";

// 100 values: 90 × 5 (fast), 9 × 55 (slow), 1 × 95 (slow).
const LONG = { interval: 1000 }; // what BEGIN aggregates must stay in the window while it is looked at
const WORK = `BEGIN { i = 0; }
tick-10ms
/i < 100/
{
	this->v = i < 90 ? 5 : i < 99 ? 55 : 95;
	@lat[i < 90 ? "fast" : "slow"] = lquantize(this->v, 0, 100, 10);
	@us["slow"] = llquantize(i * 1000, 10, 0, 6, 10);
	i++;
}
tick-100ms { @beat = count(); }`;

const total = () => erltrace.views.heatmap.panels.map((p) => p.total);
const grid = () => {
	const v = erltrace.views.heatmap,
		p = v.panels[0],
		sums = {};
	for (const b of p.cells) b.forEach((n, j) => n && (sums[v.drawn.agg.bounds[j].join()] = (sums[v.drawn.agg.bounds[j].join()] || 0) + n));
	return sums;
};
// Where a cell is on the screen: the first slot that has something in a bucket.
const cellAt = (low) => {
	const v = erltrace.views.heatmap,
		p = v.panels[0],
		b = v.canvas.getBoundingClientRect();
	const j = v.drawn.agg.bounds.findIndex((x) => x[0] === low),
		i = p.cells.findIndex((c) => c[j] > 0),
		s = v.drawn.shown.list[i];
	let all = 0;
	for (const n of p.cells[i]) all += n;
	return {
		x: b.left + s.x + s.w / 2,
		y: b.top + (p.axis.lower(j) + p.axis.upper(j)) / 2,
		n: p.cells[i][j],
		all,
		left: b.left + v.drawn.shown.list[0].x,
		right: b.left + v.drawn.r.x + v.drawn.r.w,
		slots: v.drawn.shown.list.length,
	};
};
const pixel = ([x, y]) => {
	const c = document.querySelector(".plot canvas"),
		b = c.getBoundingClientRect(),
		d = devicePixelRatio;
	return [...c.getContext("2d").getImageData((x - b.left) * d, (y - b.top) * d, 1, 1).data].slice(0, 3);
};

export default async function (desk) {
	const page = await desk.run(WORK);
	await page.waitForFunction(
		() => [...erltrace.run.aggs.values()].find((a) => a.name === "lat")?.elems.reduce((s, e) => s + e.count, 0) === 100,
	);
	await page.keyboard.press("Escape");
	await page.click(".below button:has-text('Pause')");

	await test("heatmap: every event is in its cell", async () => {
		await choose(page, "@lat lquantize()");
		await settle(page);
		assert.deepEqual(await page.evaluate(total), [100]);
		assert.deepEqual(await page.evaluate(grid), { "0,9": 90, "50,59": 9, "90,99": 1 });
	});
	await test("heatmap: hover tells range, count and share of its column", async () => {
		const at = await page.evaluate(cellAt, 50);
		await page.mouse.move(at.x, at.y);
		const tip = await page.textContent(".tip");
		assert.ok(
			tip.includes("50 – 60") &&
				tip.includes(`${at.n} event`) &&
				tip.includes(`${((at.n / at.all) * 100).toFixed(1)} % of ${at.all}`),
			tip,
		);
		await page.mouse.move(5, 5);
	});
	await test("heatmap: a single event is seen by every scale of colour, with a legend", async () => {
		const at = await page.evaluate(cellAt, 90),
			ground = await page.evaluate(pixel, [at.x, at.y - 40]);
		for (const kind of ["linear", "sqrt", "log", "rank"]) {
			await page.selectOption("select[aria-label='Colour scale']", kind);
			const c = await page.evaluate(pixel, [at.x, at.y]);
			assert.ok(Math.hypot(...c.map((v, i) => v - ground[i])) > 60, `${kind}: ${c} on ${ground}`);
			assert.match(await page.getAttribute(".ramp canvas", "aria-label"), /colour from 1 to \d+ events/);
		}
		await page.selectOption("select[aria-label='Colour scale']", "sqrt");
	});
	await test("heatmap: percentiles are where they must be, and can be switched", async () => {
		// of all together: p50 and p90 in 0 … 9, p99 in 50 … 59, the largest in 90 … 99
		await page.evaluate(() => {
			erltrace.views.heatmap.zoom = 1 / 64;
			erltrace.views.heatmap.draw();
		});
		const drawn = await page.evaluate(() => {
			const v = erltrace.views.heatmap,
				texts = [],
				C = CanvasRenderingContext2D.prototype,
				was = C.fillText;
			C.fillText = function (t, ...r) {
				texts.push(t);
				return was.call(this, t, ...r);
			};
			v.lines = new Set(["p50", "p90", "p99", "p99.9", "max"]);
			v.draw();
			C.fillText = was;
			return texts.filter((t) => /^(p\d|max)/.test(t));
		});
		assert.deepEqual(drawn, ["p50 10", "p90 10", "p99 60", "p99.9 100", "max 100"]);
		await page.click(".chips button[data-line=max]");
		assert.equal(await page.getAttribute(".chips button[data-line=max]", "aria-pressed"), "false");
		assert.deepEqual(await page.evaluate(() => [...erltrace.views.heatmap.lines]), ["p50", "p90", "p99", "p99.9"]);
		await page.evaluate(() => {
			erltrace.views.heatmap.zoom = 8;
			erltrace.views.heatmap.draw();
		});
	});
	await test("heatmap: a click on a key isolates it, another brings all back", async () => {
		await page.click(".key:has-text('slow')");
		assert.deepEqual(await page.evaluate(total), [10]);
		assert.equal(await page.getAttribute(".key:has-text('slow')", "aria-pressed"), "true");
		await page.click(".key:has-text('slow')");
		assert.deepEqual(await page.evaluate(total), [100]);
		assert.match(await page.textContent(".keys"), /fast90 · 90\.0 %.*slow10 · 10\.0 %/);
	});
	await test("heatmap: a drag selects time × value and tells whose it is", async () => {
		const at = await page.evaluate(cellAt, 50),
			top = await page.evaluate(cellAt, 90);
		await page.mouse.move(at.left + 2, at.y);
		await page.mouse.down();
		await page.mouse.move(at.right - 3, top.y, { steps: 4 });
		await page.mouse.up();
		assert.match(await page.textContent(".keys h3"), /Selected: 10 events of 1 key/);
		assert.match(await page.textContent(".keys ol"), /^slow10 · 100\.0 %$/);
		await page.click("button:has-text('Zoom to it')");
		assert.deepEqual(
			await page.evaluate(() => {
				const { o, agg } = erltrace.views.heatmap.drawn;
				return [agg.bounds[o.low], agg.bounds[o.high]];
			}),
			[
				[50, 59],
				[90, 99],
			],
		);
		await page.keyboard.press("Escape");
		await page.evaluate(() => {
			erltrace.views.heatmap.zoom = 8;
			erltrace.views.heatmap.draw();
		});
		assert.equal(await page.evaluate(() => erltrace.views.heatmap.values), null);
	});
	await test("heatmap: keys one below another, and by hue", async () => {
		await page.selectOption("select[aria-label='How keys are shown']", "multiples");
		assert.deepEqual(
			await page.evaluate(() =>
				erltrace.views.heatmap.panels.map((p) => [erltrace.views.heatmap.drawn.agg.elems[p.key].text, p.total]),
			),
			[
				["fast", 90],
				["slow", 10],
			],
		);
		await page.selectOption("select[aria-label='How keys are shown']", "hue");
		const [low, high] = [await page.evaluate(cellAt, 0), await page.evaluate(cellAt, 50)];
		const [a, b] = [await page.evaluate(pixel, [low.x, low.y + 2]), await page.evaluate(pixel, [high.x, high.y])];
		assert.ok(a[2] > a[0] && b[0] > b[2], `fast is blue, slow is orange: ${a} ${b}`);
		await page.selectOption("select[aria-label='How keys are shown']", "merged");
	});
	await test("heatmap: linear and log axis, with units", async () => {
		await choose(page, "@us llquantize()");
		await page.selectOption("select[aria-label='Unit of values']", "us");
		const marks = () =>
			page.evaluate(() => erltrace.views.heatmap.panels[0].axis.marks(erltrace.views.heatmap.drawn.o.unit).map(([, t]) => t));
		assert.ok((await marks()).includes("10 ms"), `${await marks()}`);
		await page.selectOption("select[aria-label='Value axis']", "linear");
		const lin = await marks();
		assert.ok(lin.includes("50 ms") && lin.includes("100 ms"), `${lin}`);
		const even = await page.evaluate(() => {
			const a = erltrace.views.heatmap.panels[0].axis;
			return [a.at(0) - a.at(20000), a.at(20000) - a.at(40000)];
		});
		assert.ok(Math.abs(even[0] - even[1]) < 0.01);
		await page.selectOption("select[aria-label='Value axis']", "log");
		await page.selectOption("select[aria-label='Unit of values']", "auto");
		await choose(page, "@lat lquantize()");
	});
	await test("heatmap: the keyboard goes from cell to cell, selects and clears", async () => {
		await page.focus(".plot canvas");
		await page.keyboard.press("ArrowLeft");
		await page.keyboard.press("ArrowDown");
		assert.match(await page.textContent(".tip"), /event/);
		for (let i = 0; i < 12; i++) await page.keyboard.press("Shift+ArrowUp");
		for (let i = 0; i < 80; i++) await page.keyboard.press("Shift+ArrowLeft");
		assert.match(await page.textContent(".keys h3"), /Selected: \d+ events? of/);
		await page.keyboard.press("Escape");
		assert.match(await page.textContent(".keys h3"), /2 keys in sight/);
	});
	await test("heatmap: what was picked in one aggregation is not looked for in another", async () => {
		const picked = () => page.evaluate(() => (({ cell, values, key, picked }) => ({ cell, values, key, picked }))(erltrace.views.heatmap));
		await choose(page, "@us llquantize()");
		await settle(page);
		await page.focus(".plot canvas");
		for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowUp");
		await page.keyboard.press("Enter");
		assert.ok((await picked()).values);
		// the next key comes before the next picture
		await page.evaluate(() => {
			const a = [...erltrace.run.aggs.values()].find((x) => x.name === "lat");
			erltrace.chooseAgg(a.id);
			erltrace.views.heatmap.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
		});
		const now = await picked();
		assert.equal(now.values, null);
		assert.equal(now.picked, null);
		assert.ok(now.cell.bucket < 20, `bucket ${now.cell.bucket}`);
		assert.match(await page.textContent(".tip"), /event/);
		await page.keyboard.press("Escape");
		await page.click(".below button[aria-label^=Newest]");
		await choose(page, "@lat lquantize()");
	});
	await test("heatmap: pause holds, time goes on behind, now comes back", async () => {
		const seen = () =>
			page.evaluate(() => {
				const v = erltrace.views.heatmap;
				v.draw();
				return v.drawn.agg.columns[v.drawn.shown.last].time;
			});
		await page.click(".below button[aria-label^=Newest]");
		await page.focus("body");
		await page.evaluate(() => document.activeElement?.blur());
		await page.keyboard.press(" ");
		const held = await seen(),
			n = await page.evaluate(() => erltrace.run.frames);
		await page.waitForFunction((x) => erltrace.run.frames > x + 3, n);
		assert.equal(await seen(), held);
		assert.match(await page.textContent(".place"), /paused/);
		await page.keyboard.press("ArrowLeft");
		const back = await seen();
		assert.ok(back < held);
		await page.keyboard.press("n");
		assert.ok((await seen()) > held);
		assert.match(await page.textContent(".place"), /a column is 0\.\d s/);
	});
	await test("heatmap: 30 minutes are kept; zoomed out they are all there, scrolled back too", async () => {
		const got = await page.evaluate(() => {
			const run = erltrace.run,
				v = erltrace.views.heatmap,
				bounds = [
					[0, 9],
					[10, 19],
				],
				from = Date.now() + 1000;
			const feed = (i) =>
				run.frame({
					seq: 100000 + i,
					whole: false,
					time: from + i * 1000,
					span: 1,
					status: {},
					aggs: [{ id: 70, name: "long", fn: "lquantize", bounds, elems: [[["k"], 0, i + 1, [0, i + 1]]] }],
				});
			for (let i = 0; i < 2400; i++) feed(i); // 40 minutes, one event each
			erltrace.chosen = 70;
			v.zoom = 1 / 64;
			v.end = null;
			v.draw();
			const all = v.panels[0].total,
				slots = v.drawn.shown.list.length;
			v.zoom = 4;
			v.draw();
			const one = v.panels[0].total,
				first = v.drawn.shown.first;
			for (let i = 0; i < 200; i++) v.scroll(0.25);
			return { all, slots, kept: v.drawn.agg.columns.length, one, first, oldest: v.drawn.shown.first, label: v.place.textContent };
		});
		assert.ok(got.kept >= 1800 && got.kept <= 1802, `${got.kept} columns kept`);
		assert.equal(got.all, got.kept);
		assert.ok(got.slots <= 300 && got.one < 300 && got.first > 1000, JSON.stringify(got));
		assert.equal(got.oldest, 0);
		assert.match(got.label, /paused, (2\d|30)(\.\d)? min back/);
	});
	await page.close();

	await test("heatmap: columns from 100 ms to 60 s", async () => {
		const p = await desk.page();
		assert.deepEqual(
			await p.$$eval("select[aria-label=Interval] option", (os) => [os[0].value, os.at(-1).value, os.find((o) => o.selected).value]),
			["100", "60000", "1000"],
		);
		await p.selectOption("select[aria-label=Interval]", "200");
		await start(p, WORK);
		await p.waitForFunction(() => erltrace.run?.frames > 6);
		const spans = await p.evaluate(() => [...erltrace.run.aggs.values()][0].columns.slice(1).map((c) => c.span));
		const mid = [...spans].sort((a, b) => a - b)[spans.length >> 1];
		assert.ok(mid > 0.1 && mid < 0.8, `${spans}`);
		await p.close();
	});
	await test("heatmap: negative values and open ends are drawn", async () => {
		const p = await desk.run("BEGIN { @q = quantize(-100); @q = quantize(0); @q = quantize(5000); } tick-1s { @t = count(); }", LONG);
		await shows(p, total, [3]);
		const y = await p.evaluate(() => {
			const a = erltrace.views.heatmap.panels[0].axis;
			return [a.at(-100), a.at(0), a.at(5000)];
		});
		assert.ok(y[0] > y[1] && y[1] > y[2], `${y}`);
		await p.close();
		const q = await desk.run(
			"BEGIN { @q = lquantize(-5, 0, 10, 5); @q = lquantize(3, 0, 10, 5); @q = lquantize(99, 0, 10, 5); } tick-1s { @t = count(); }",
			LONG,
		);
		await shows(q, total, [3]);
		await shows(q, grid, { ",-1": 1, "0,4": 1, "10,": 1 });
		await until(
			"marks",
			async () =>
				(await q.evaluate(() => erltrace.views.heatmap.panels[0].axis.marks("").map(([, t]) => t))).join() === "≤ -1,1,2,5,≥ 10",
		);
		await q.close();
	});
}
