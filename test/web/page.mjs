// The page in Chromium.
import assert from "node:assert/strict";
import net from "node:net";
import { mkdirSync, readFileSync } from "node:fs";
import { Server, Client, launch, test, sleep, PATIENCE, GRACE } from "./lib.mjs";

const KNOWN = 'BEGIN { @n["a", "x"] = count(); @n["a", "y"] = sum(1) ; }';
const WORK = `BEGIN { i = 0; }
tick-50ms
/i < 20/
{
	i++;
	@calls["shop", i % 2 ? "odd" : "even"] = count();
	@bytes["up"] = sum(10);
	@lat["fast"] = lquantize(5, 0, 100, 10);
	@lat["slow"] = lquantize(95, 0, 100, 10);
	@cpu["main", "a", "b"] = count();
	@cpu["main", "a", "c"] = count();
}
tick-1s { printf("line %d\\n", ++n); }`;

// Between browser and server; cut() leaves both ends open and carries nothing more.
function proxy(port) {
	const pairs = [];
	let off = false;
	const server = net.createServer((a) => {
		const b = net.connect(port, "127.0.0.1");
		pairs.push(a, b);
		for (const [x, y] of [[a, b], [b, a]]) {
			x.on("data", (d) => { if (!off) y.write(d); });
			x.on("error", () => {});
			x.on("close", () => { if (!off) y.destroy(); });
		}
	});
	return new Promise((r) => server.listen(0, "127.0.0.1", () => r({ port: server.address().port, cut: () => (off = true), mend: () => (off = false), close: () => { pairs.forEach((p) => p.destroy()); server.close(); } })));
}

export async function pageTests(program) {
	const server = new Server(program, process.env.SCRIPTS ? ["--scripts", process.env.SCRIPTS] : []), u = await server.url();
	const browser = await launch();
	const context = await browser.newContext({ viewport: { width: 1360, height: 800 }, acceptDownloads: true });
	const errors = [];
	const open = async (where = "/", ctx = context) => {
		const page = await ctx.newPage();
		page.on("pageerror", (e) => errors.push(e.message));
		page.on("console", (m) => { if (m.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(m.text())) errors.push(m.text()); });
		await page.goto(u.origin + where);
		return page;
	};
	const write = (page, text) => page.evaluate((t) => { erltrace.editor.text = t; }, text);
	const state = (page, s, ms = PATIENCE) => page.waitForFunction((x) => erltrace.run?.info?.state === x, s, { timeout: ms });
	const start = async (page, script) => {
		await write(page, script);
		await page.click("button.go");
		await page.waitForFunction((t) => erltrace.run?.info?.script === t && erltrace.run.info.state !== "starting", script);
	};
	const tab = (page, v) => page.click(`nav a[data-view=${v}]`);
	const numbers = (page) => page.$$eval(".list tbody tr", (rows) => rows.map((r) => [r.cells[0].lastChild.textContent, r.cells[1].textContent, r.cells[4].textContent]));

	// the token, in the browser
	const page = await context.newPage();
	page.on("pageerror", (e) => errors.push(e.message));
	await page.goto(u.href);
	server.jar = (await context.cookies()).map((c) => `${c.name}=${c.value}`)[0];
	const look = await Client.open(server);

	await test("first sight: a script runs and there is a picture", async () => {
		await state(page, "running");
		assert.doesNotMatch(page.url(), /token/);
		await page.waitForFunction(() => erltrace.run.frames > 2 && erltrace.views.heatmap.panels?.[0]?.total > 500);
		assert.match(await page.getAttribute(".plot canvas", "aria-label"), /Heatmap of @latency: \d+ columns/);
		// and the picture has colours
		const colours = await page.evaluate(() => { const c = document.querySelector(".plot canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, s = new Set(); for (let i = 0; i < d.length; i += 4) s.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]); return s.size; });
		assert.ok(colours > 20, `${colours} colours`);
		assert.match(await page.textContent(".keys"), /GET \/item/);
	});
	await test("numbers of a known workload in every view", async () => {
		await start(page, WORK);
		await page.waitForFunction(() => [...erltrace.run.aggs.values()].find((a) => a.name === "bytes")?.elems[0].value === 200, null, { timeout: PATIENCE });
		await tab(page, "list");
		await page.waitForSelector(".list tbody tr");
		await page.waitForTimeout(300);
		assert.deepEqual(await numbers(page), [["shop", "20", "20"], ["even", "10", "10"], ["odd", "10", "10"]]);
		await page.click(".list .fold:not([hidden])");
		assert.deepEqual(await numbers(page), [["shop", "20", "20"]]);
		await page.click(".list .fold:not([hidden])");
		await page.fill(".list input[type=search]", "odd");
		await page.waitForTimeout(100);
		assert.deepEqual(await numbers(page), [["shop", "10", "10"], ["odd", "10", "10"]]);
		await page.fill(".list input[type=search]", "");
		await page.selectOption("select[aria-label=Aggregation]", { label: "@bytes sum()" });
		await page.waitForTimeout(200);
		assert.deepEqual(await numbers(page), [["up", "200", "20"]]);
		await tab(page, "heatmap");
		await page.waitForTimeout(300);
		assert.equal(await page.evaluate(() => erltrace.views.heatmap.panels[0].total), 40);
		assert.match(await page.textContent(".keys"), /fast20 · 50\.0 %/);
		await page.click(".key:has-text('slow')");
		assert.equal(await page.evaluate(() => erltrace.views.heatmap.panels[0].total), 20);
		await page.click(".key:has-text('slow')");
		await tab(page, "flame");
		await page.selectOption("select[aria-label=Aggregation]", { label: "@cpu count()" });
		await page.waitForTimeout(300);
		const labels = await page.$$eval(".flame g", (gs) => gs.map((g) => g.getAttribute("aria-label")));
		assert.deepEqual(labels, ["all: 40 (100.0 %)", "main: 40 (100.0 %)", "a: 40 (100.0 %)", "b: 20 (50.0 %)", "c: 20 (50.0 %)"]);
		await page.click(".flame g:last-child");
		assert.deepEqual(await page.$$eval(".flame g", (gs) => gs.length), 4);
		await page.keyboard.press("Escape");
		await tab(page, "log");
		await page.waitForSelector(".log li");
		assert.match(await page.textContent(".log li"), /line 1/);
	});
	await test("hover and selection tell range, count, share and keys", async () => {
		await tab(page, "heatmap");
		await page.waitForTimeout(200);
		const at = await page.evaluate(() => {
			const v = erltrace.views.heatmap, p = v.panels[0], a = p.agg;
			for (let i = p.win.first; i <= p.win.last; i++) for (let j = p.lo; j <= p.hi; j++) if (a.columns[i].merged[j]) {
				const b = v.canvas.getBoundingClientRect();
				return { x: b.left + p.r.x + p.r.w - (p.win.last - i + 0.5) * v.zoom, y: b.top + (p.edge[j - p.lo] + p.edge[j + 1 - p.lo]) / 2, n: a.columns[i].merged[j], range: a.bounds[j] };
			}
		});
		await page.mouse.move(at.x, at.y);
		const tip = await page.textContent(".tip");
		assert.ok(tip.includes(`${at.range[0]} … ${at.range[1]}`) && tip.includes(`${at.n} event`), tip);
		await page.mouse.down();
		await page.mouse.move(at.x + 9, at.y - 3, { steps: 3 });
		await page.mouse.up();
		assert.match(await page.textContent(".keys h3"), /selected: /);
		assert.match(await page.textContent(".keys"), /fast/);
		await page.keyboard.press("Escape");
	});
	await test("stop, error under its token, start again", async () => {
		await page.click("button[aria-label='Stop the script']");
		await state(page, "ended");
		assert.match(await page.textContent(".pill"), /ended/);
		await write(page, "BEGIN\n{\n\tx = nosuch;\n}\n");
		await page.waitForSelector(".check.bad");
		assert.match(await page.textContent(".check"), /line 3: .*nosuch/);
		await page.waitForFunction(() => document.querySelector(".code").shadowRoot.querySelector(".cm-lintRange-error")?.textContent === "nosuch");
		await page.click("button.go");
		await page.waitForSelector(".message:not([hidden])");
		assert.match(await page.textContent(".message"), /nosuch/);
		await start(page, WORK);
		await state(page, "running");
		assert.equal(await page.isHidden(".message"), true);
	});
	await test("two pages on one script; it ends with the last", async () => {
		const second = await open();
		await state(second, "running");
		const id = await page.evaluate(() => erltrace.run.id);
		assert.equal(await second.evaluate(() => erltrace.run.id), id);
		await second.waitForFunction(() => erltrace.run.frames > 1);
		await page.goto("about:blank");
		await sleep(1800);
		assert.ok((await look.runs()).some((r) => r.id === id && r.state === "running"));
		const at = Date.now();
		await second.close();
		await look.next((m) => m.t === "runs" && !m.runs.some((r) => r.id === id && /running|stopping/.test(r.state)));
		assert.ok(Date.now() - at < 2000 + GRACE, `${Date.now() - at} ms`);
	});
	await test("a tab that is killed ends its script", async () => {
		const p = await open();
		await state(p, "running");
		const id = await p.evaluate(() => erltrace.run.id), cdp = await context.newCDPSession(p), at = Date.now();
		cdp.send("Page.crash").catch(() => {});
		await look.next((m) => m.t === "runs" && !m.runs.some((r) => r.id === id && /running|stopping/.test(r.state)));
		assert.ok(Date.now() - at < 2000 + GRACE, `${Date.now() - at} ms`);
		await p.close().catch(() => {});
	});
	await test("a network that is cut ends its script, and the page says so", async () => {
		const cable = await proxy(u.port);
		const p = await context.newPage();
		await p.goto(`http://127.0.0.1:${cable.port}/`);
		await state(p, "running");
		const id = await p.evaluate(() => erltrace.run.id), at = Date.now();
		cable.cut();
		await look.next((m) => m.t === "runs" && !m.runs.some((r) => r.id === id && /running|stopping/.test(r.state)));
		assert.ok(Date.now() - at < 2000 + GRACE, `${Date.now() - at} ms`);
		await p.close();
		cable.close();
	});
	await test("keys cannot do anything but be shown", async () => {
		await page.goto(u.origin);
		await state(page, "running");
		const evil = ['<img src=x onerror=window.hit=1>', '"><script>window.hit=1</script>', "javascript:window.hit=1", "\\033[2J\\001\\002", "\\377\\376"];
		await start(page, `#pragma D option strsize=1m
BEGIN { ${evil.map((k, i) => `@a["${k.replace(/"/g, '\\"')}", ${i}] = count(); @q["${k.replace(/"/g, '\\"')}"] = quantize(${i}); printf("${k.replace(/"/g, '\\"').replace(/%/g, "%%")}\\n");`).join(" ")} }
tick-200ms { @t = count(); }`);
		for (const v of ["list", "flame", "log", "nodes", "editor", "heatmap"]) {
			await tab(page, v);
			await page.waitForTimeout(400);
		}
		assert.equal(await page.evaluate(() => window.hit), undefined);
		assert.match(await page.textContent(".keys"), /<img src=x/);
		await tab(page, "list");
		await page.waitForTimeout(300);
		assert.match(await page.textContent(".list tbody"), /␛\[2J␁␂/);
		// one of a megabyte, as the server would send it
		await page.evaluate(() => erltrace.link.take(JSON.stringify({ t: "frame", run: erltrace.run.id, seq: 9999, whole: false, time: Date.now(), span: 1, status: {}, aggs: [{ id: 50, name: "big", fn: "count", elems: [[["k".repeat(1 << 20)], 5, 5]] }] })));
		await page.selectOption("select[aria-label=Aggregation]", { label: "@big count()" });
		await page.waitForTimeout(300);
		assert.match(await page.textContent(".list tbody"), /kkk… \(1048576 characters\)/);
	});
	await test("exports", async () => {
		await tab(page, "list");
		await start(page, WORK);
		await page.waitForFunction(() => erltrace.run.frames > 2);
		const take = async (kind) => {
			const [d] = await Promise.all([page.waitForEvent("download"), page.selectOption("select[aria-label=Export]", kind)]);
			return readFileSync(await d.path());
		};
		assert.match((await take("csv")).toString(), /^key1,key2,count,events\r\nshop,/);
		assert.equal(JSON.parse(await take("json")).aggregations.length, 4);
		assert.match((await take("folded")).toString(), /shop;odd \d+/);
		assert.equal(JSON.parse(await take("speedscope")).profiles[0].type, "sampled");
		await tab(page, "heatmap");
		await page.waitForTimeout(300);
		assert.equal((await take("png")).subarray(1, 4).toString(), "PNG");
		assert.match((await take("svg")).toString(), /^<svg[^]*<rect/);
		await tab(page, "flame");
		await page.waitForTimeout(300);
		assert.match((await take("svg")).toString(), /^<svg[^]*main/);
		assert.equal((await take("png")).subarray(1, 4).toString(), "PNG");
	});
	await test("a link carries script and view, and starts nothing", async () => {
		await write(page, KNOWN);
		await page.click("button[aria-label^='Copy a link']");
		const url = page.url();
		const p = await context.newPage();
		await p.goto(url);
		await p.waitForFunction((t) => erltrace.editor.text === t, KNOWN);
		await p.waitForTimeout(500);
		assert.equal(await p.evaluate(() => erltrace.run), null);
		assert.equal(await p.evaluate(() => erltrace.route), "flame");
		await p.close();
	});
	await test("10,000 keys × 64 buckets are drawn at 10 a second", async () => {
		const r = await page.evaluate(async () => {
			const bounds = Array.from({ length: 64 }, (_, i) => [i * 10, i * 10 + 9]);
			erltrace.go("heatmap");
			const texts = Array.from({ length: 12 }, (_, f) => JSON.stringify({ t: "frame", run: erltrace.run.id, seq: 20000 + f, whole: false, time: Date.now() + f * 1000, span: 1, status: {}, aggs: [{ id: 60, name: "wide", fn: "lquantize", bounds, elems: Array.from({ length: 10000 }, (_, k) => [[`key ${k}`], 64 * (f + 1), 64 * (f + 1), Array.from({ length: 128 }, (_, i) => (i & 1 ? (f + 1) * (1 + (k & 3)) : i >> 1))]) }] }));
			erltrace.chosen = 60;
			const take = [];
			for (const t of texts) { const a = performance.now(); erltrace.link.take(t); take.push(performance.now() - a); await new Promise((r) => setTimeout(r)); }
			// now draw as fast as it goes, with everything new each time
			const n = 20, a = performance.now();
			for (let i = 0; i < n; i++) { erltrace.views.heatmap.draw(); await new Promise((r) => requestAnimationFrame(r)); }
			return { take: take.sort((x, y) => x - y)[take.length >> 1], fps: (n * 1000) / (performance.now() - a), bytes: texts[0].length };
		});
		console.log(`      ${(r.bytes / 1e6).toFixed(1)} MB a frame taken in ${r.take.toFixed(0)} ms, drawn at ${r.fps.toFixed(0)} fps`);
		assert.ok(r.fps >= 10 && r.take < 1000);
	});
	await test("keyboard, phone width, pictures of all views", async () => {
		await page.goto(u.origin);
		await state(page, "running");
		await page.keyboard.press("3");
		assert.equal(await page.evaluate(() => erltrace.route), "flame");
		await page.keyboard.press("1");
		await page.keyboard.press(" ");
		assert.equal(await page.evaluate(() => erltrace.views.heatmap.paused), true);
		await page.keyboard.press(" ");
		const screens = process.env.SCREENS;
		if (screens) {
			mkdirSync(screens, { recursive: true });
			await page.selectOption("select[aria-label=Interval]", "200");
			await page.click("button.go");
			await page.waitForTimeout(22000);
			for (const theme of ["light", "dark"]) {
				await page.evaluate((t) => { document.documentElement.dataset.theme = t; erltrace.dirty = true; }, theme);
				for (const v of ["heatmap", "list", "flame", "log", "nodes", "editor"]) {
					await tab(page, v);
					await page.waitForTimeout(500);
					await page.screenshot({ path: `${screens}/${v}-${theme}.png` });
				}
			}
		}
		await page.setViewportSize({ width: 390, height: 800 });
		await tab(page, "heatmap");
		await page.waitForTimeout(500);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), "wider than a phone");
		if (screens) await page.screenshot({ path: `${screens}/heatmap-phone.png` });
		const nameless = await page.$$eval("button, select, input, canvas[role]", (els) => els.filter((e) => !e.hidden && !e.getAttribute("aria-label") && !e.textContent.trim() && !e.closest("label")).map((e) => e.outerHTML.slice(0, 100)));
		assert.deepEqual(nameless, []);
	});
	await test("no error and no breach of policy in the browser", async () => {
		assert.deepEqual(errors, []);
	});
	await look.close();
	await browser.close();
	assert.equal((await server.stop()).code, 0);
}
