// The flame graph: widths from keys and stacks, zoom, search, differences, keyboard.
import assert from "node:assert/strict";
import { test, PATIENCE } from "./lib.mjs";
import { Desk, choose, settle, shows } from "./browser.mjs";

const WORK = `BEGIN { i = 0; }
tick-10ms
/i < 20/
{
	i++;
	@cpu["main", "a", "b"] = count();
	@cpu["main", "a", "c"] = count();
	@text["main;x;y"] = sum(3);
	@text["main;x;z"] = sum(1);
	@real[stack()] = count();
}
tick-100ms { @beat = count(); }`;

// By row from the root, then from the left: [label, x, width].
const boxes = () =>
	[...erltrace.views.flame.boxes.values()]
		.sort((a, b) => a.at.row - b.at.row || a.at.x - b.at.x)
		.map((e) => e.g.getAttribute("aria-label"));
const widths = () =>
	[...erltrace.views.flame.boxes.values()]
		.sort((a, b) => a.at.row - b.at.row || a.at.x - b.at.x)
		.map((e) => Math.round((e.at.w / erltrace.views.flame.svg.getAttribute("width")) * 1000));
const note = (page) => page.textContent(".view .note");

export default async function (desk) {
	const page = await desk.run(WORK, { where: "/flame" });
	await page.waitForFunction(() => [...erltrace.run.aggs.values()].find((a) => a.name === "text")?.elems[0].count === 20);
	const frame = (name) => page.locator(`.flame g[aria-label^="${name}:"] rect`);

	await test("flame: nested keys as frames with their share", async () => {
		await choose(page, "@cpu count()");
		await shows(page, boxes, ["all: 40 (100.0 %)", "main: 40 (100.0 %)", "a: 40 (100.0 %)", "b: 20 (50.0 %)", "c: 20 (50.0 %)"]);
		assert.deepEqual(await page.evaluate(widths), [1000, 1000, 1000, 500, 500]);
	});
	await test("flame: text with ; between frames", async () => {
		await choose(page, "@text sum()");
		await shows(page, boxes, ["all: 80 (100.0 %)", "main: 80 (100.0 %)", "x: 80 (100.0 %)", "y: 60 (75.0 %)", "z: 20 (25.0 %)"]);
		assert.deepEqual(await page.evaluate(widths), [1000, 1000, 1000, 750, 250]);
	});
	await test("flame: click zooms, Escape goes back, hover tells", async () => {
		await frame("z").hover();
		assert.match(await note(page), /^z: 20 \(25\.0 %\)/);
		await frame("z").click();
		await shows(page, boxes, ["all: 80 (100.0 %)", "main: 80 (100.0 %)", "x: 80 (100.0 %)", "z: 20 (25.0 %)"]);
		assert.deepEqual(await page.evaluate(widths), [1000, 1000, 1000, 1000]);
		await page.keyboard.press("Escape");
		await shows(page, () => erltrace.views.flame.boxes.size, 5);
	});
	await test("flame: search marks frames and tells how much they have", async () => {
		await page.fill("input[aria-label='Search frames']", "Y");
		await page.mouse.move(5, 400);
		await settle(page);
		assert.match(await note(page), /75\.0 % in frames that match/);
		assert.deepEqual(await page.$$eval(".flame .hit", (gs) => gs.map((g) => g.textContent)), ["y"]);
		await page.fill("input[aria-label='Search frames']", "");
	});
	await test("flame: arrows go from frame to frame and keep their place while numbers come in", async () => {
		await page.focus(".flame g[aria-label^='all:']");
		for (const k of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"]) await page.keyboard.press(k);
		const focused = () => document.activeElement.getAttribute("aria-label");
		assert.match(await page.evaluate(focused), /^z:/);
		const n = await page.evaluate(() => erltrace.run.frames);
		await page.waitForFunction((x) => erltrace.run.frames > x + 2, n);
		assert.match(await page.evaluate(focused), /^z:/);
		await page.keyboard.press("ArrowDown");
		assert.match(await page.evaluate(focused), /^x:/);
		await page.keyboard.press("Enter");
		assert.deepEqual(await page.evaluate(() => erltrace.views.flame.path), ["main", "x"]);
		await page.keyboard.press("Escape");
	});
	await test("flame: root on top turns it round", async () => {
		const y = () => Number(document.querySelector(".flame g[aria-label^='all:'] rect").getAttribute("y"));
		assert.ok((await page.evaluate(y)) > 50);
		await page.check("label:has-text('root on top') input");
		assert.equal(await page.evaluate(y), 0);
		await page.uncheck("label:has-text('root on top') input");
	});
	await page.close();

	await test("flame: the difference of two spans of time, chosen by dragging", async () => {
		const p = await desk.run("tick-1s { @n = count(); }", { where: "/flame" });
		// five seconds of m;a alone, then five of m;a and m;b by halves
		await p.click("button[aria-label='Stop the script']");
		await p.waitForFunction(() => erltrace.run.over);
		const t0 = Date.now();
		await p.evaluate((from) => {
			let a = 0,
				b = 0;
			for (let i = 0; i < 10; i++) {
				a += 10;
				if (i >= 5) b += 10;
				erltrace.run.frame({
					seq: 5000 + i,
					whole: false,
					time: from + i * 1000,
					span: 1,
					status: {},
					aggs: [
						{
							id: 30,
							name: "st",
							fn: "count",
							elems: [[[{ stack: ["a", "m"] }], a, a], ...(b ? [[[{ stack: ["b", "m"] }], b, b]] : [])],
						},
					],
				});
			}
			erltrace.chosen = 30;
			erltrace.draw();
		}, t0);
		const strip = await p.locator(".strip canvas").boundingBox(),
			cols = await p.evaluate(() => [...erltrace.run.aggs.get(30).columns].map((c) => c.time));
		const at = (t) => strip.x + ((cols.indexOf(t) + 0.5) / cols.length) * strip.width;
		const drag = async (from, to) => {
			await p.mouse.move(at(from), strip.y + 20);
			await p.mouse.down();
			await p.mouse.move(at(to), strip.y + 20, { steps: 3 });
			await p.mouse.up();
		};
		await drag(t0 + 5000, t0 + 9000);
		await shows(p, boxes, ["all: 100 (100.0 %)", "m: 100 (100.0 %)", "a: 50 (50.0 %)", "b: 50 (50.0 %)"]);
		await p.selectOption("select[aria-label='What a drag selects']", "before");
		await drag(t0, t0 + 4000);
		await shows(p, boxes, [
			"all: 100 (100.0 %), before: 50 (100.0 %), +0.0",
			"m: 100 (100.0 %), before: 50 (100.0 %), +0.0",
			"a: 50 (50.0 %), before: 50 (100.0 %), −50.0",
			"b: 50 (50.0 %), before: 0 (0.0 %), +50.0",
		]);
		assert.deepEqual(await p.evaluate(widths), [1000, 1000, 750, 250]);
		const fill = (n) => p.getAttribute(`.flame g[aria-label^="${n}:"] rect`, "fill");
		const [less, more] = [await fill("a"), await fill("b")].map((c) => c.match(/\d+/g).map(Number));
		assert.ok(less[2] > less[0] && more[0] > more[2], `blue has less, orange more: ${less} ${more}`);
		await p.mouse.move(5, 400);
		await settle(p);
		assert.match(await p.textContent(".view .note"), /compared with .*: 50\. Orange has more/);
		await p.selectOption("select[aria-label='Compared with']", "none");
		await shows(p, boxes, ["all: 100 (100.0 %)", "m: 100 (100.0 %)", "a: 50 (50.0 %)", "b: 50 (50.0 %)"]);
		await p.close();
	});

	// a server that may use the kernel
	const machine = await Desk.open(desk.program, ["--kernel"]),
		probes = await machine.look.ask({ t: "probes", desc: "syscall:::" }, PATIENCE);
	await test(
		"flame: stacks of programs, through the kernel, with the names of functions",
		async () => {
			const p = await machine.run("syscall:::entry { @[execname, ustack()] = count(); }", { where: "/flame", interval: 500 });
			await p.waitForFunction(() =>
				[...(erltrace.run.aggs.values().next().value?.elems || [])].some((e) => e.keys[1].stack?.some((f) => f.includes("`"))),
			);
			const got = await p.evaluate(() => {
				erltrace.draw();
				const v = erltrace.views.flame;
				return { all: v.root.now, sum: v.agg().elems.reduce((s, x) => s + x.value, 0), names: [...v.root.kids.keys()] };
			});
			assert.equal(got.all, got.sum);
			assert.ok(got.names.length > 0 && got.names.every((n) => !n.includes("`")), `${got.names}`);
			await p.close();
		},
		probes.ok && probes.probes.length ? null : "the kernel's probes are not to be had here",
	);
	await machine.close();
}
