// Keys and lines from outside are shown and can do nothing: HTML, control characters, a megabyte, bytes that are no text.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, choose, shows } from "./browser.mjs";

const EVIL = [
	"<img src=x onerror=window.hit=1>",
	'"><script>window.hit=1</script>',
	"javascript:window.hit=1",
	"</title><svg onload=window.hit=1>",
	"{{constructor.constructor('window.hit=1')()}}",
	"\\033[2J\\001\\002",
	"\\377\\376",
	"a\\nb\\tc",
];
const quoted = EVIL.map((k) => `"${k.replace(/"/g, '\\"')}"`);
const WORK = `#pragma D option strsize=2k
BEGIN
{
${quoted.map((k, i) => `\t@a[${k}, ${i}] = count(); @q[${k}] = quantize(${i}); @f[${k}, "x", "y"] = count(); printf("%s\\n", ${k});`).join("\n")}
}
tick-200ms { @t = count(); }`;

export default async function (desk) {
	const page = await desk.run(WORK, { interval: 1000 }); // what BEGIN aggregates must stay in the heatmap's window
	await test("text: keys cannot do anything but be shown, in any view", async () => {
		for (const v of ["list", "flame", "waterfall", "log", "nodes", "editor", "heatmap"]) {
			await tab(page, v);
			await page.evaluate(() => erltrace.draw());
			const bad = await page.evaluate(() => [
				window.hit,
				document.querySelectorAll("main img, main script, main iframe, main [onerror], main [onload]").length,
			]);
			assert.deepEqual(bad, [undefined, 0], v);
		}
		assert.match(await page.textContent(".keys"), /<img src=x onerror=window\.hit=1>/);
		await page.selectOption("select[aria-label='How keys are shown']", "multiples");
		await page.selectOption("select[aria-label='How keys are shown']", "merged");
		assert.equal(await page.evaluate(() => window.hit), undefined);
	});
	await test("text: control characters and bytes that are no text have signs", async () => {
		await tab(page, "list");
		await choose(page, "@a count()");
		await shows(
			page,
			() =>
				["␛[2J␁␂", "��", "a␊b␉c"].every((t) =>
					[...document.querySelectorAll(".list tbody td:first-child span")].some((s) => s.textContent === t),
				),
			true,
		);
		await tab(page, "log");
		await page.waitForFunction(() => document.querySelector(".log").textContent.includes("␛[2J"));
	});
	await test("text: marks that turn writing round are shown, not obeyed", async () => {
		const shown = await page.evaluate(() => {
			erltrace.run.frame({
				seq: 7000,
				whole: false,
				time: Date.now(),
				span: 1,
				status: {},
				aggs: [
					{
						id: 51,
						name: "bidi",
						fn: "count",
						elems: [
							[["abc\u202egpj.exe"], 1, 1],
							[["zero\u200bwidth"], 1, 1],
						],
					},
				],
			});
			erltrace.chosen = 51;
			erltrace.go("list");
			erltrace.draw();
			return [...document.querySelectorAll(".list tbody td:first-child span")].map((s) => s.textContent);
		});
		assert.deepEqual(shown, ["abc\\u202egpj.exe", "zero\\u200bwidth"]);
	});
	await test("text: a key of a megabyte is cut and says so, in every view and quickly", async () => {
		const took = await page.evaluate(() => {
			const from = performance.now(),
				big = "k".repeat(1 << 20);
			erltrace.run.frame({
				seq: 9999,
				whole: false,
				time: Date.now(),
				span: 1,
				status: {},
				aggs: [
					{ id: 50, name: "big", fn: "count", elems: [[[big, 1, 2], 5, 5]] },
					{
						id: 52,
						name: "bigq",
						fn: "quantize",
						bounds: [
							[0, 0],
							[1, 1],
						],
						elems: [[[big], 1, 5, [1, 5]]],
					},
				],
			});
			erltrace.chosen = 50;
			for (const v of ["list", "flame"]) {
				erltrace.go(v);
				erltrace.draw();
			}
			erltrace.chosen = 52;
			erltrace.go("heatmap");
			erltrace.draw();
			return performance.now() - from;
		});
		assert.ok(took < 5000, `${took} ms`);
		assert.match(await page.textContent(".keys"), /kkk… \(1,048,576 characters\)/);
		assert.ok((await page.evaluate(() => document.body.textContent.length)) < 60000, "all of it is in the page");
	});
	await page.close();

	await test("text: nothing of the page comes from elsewhere, and no script but its own can run", async () => {
		const context = await desk.newContext(),
			p = await context.newPage(),
			asked = [];
		p.on("request", (r) => asked.push(r.url()));
		const answer = await p.goto(desk.url.origin),
			csp = answer.headers()["content-security-policy"];
		await p.waitForFunction(() => erltrace.run?.frames > 0);
		for (const v of ["list", "flame", "log", "nodes", "editor"]) await tab(p, v);
		assert.deepEqual(
			asked.filter((u) => !u.startsWith(desk.url.origin) && !u.startsWith("data:") && !u.startsWith("blob:")),
			[],
		);
		for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
			assert.ok(csp.includes(part), csp);
		assert.doesNotMatch(csp, /unsafe|\*/);
		const tries = await p.evaluate(async () => {
			const blocked = [];
			document.addEventListener("securitypolicyviolation", (e) => blocked.push(e.effectiveDirective));
			const s = document.createElement("script");
			s.textContent = "window.hit = 1";
			document.body.append(s);
			document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hit=1'><style>body{display:none}</style>");
			const far = await fetch("https://example.com/").then(
				() => "reached",
				() => "refused",
			);
			// each of the four is told a moment after it was tried
			for (let i = 0; i < 100 && new Set(blocked).size < 4; i++) await new Promise((r) => setTimeout(r, 100));
			return { hit: window.hit, far, blocked: [...new Set(blocked)].sort() };
		});
		assert.equal(tries.hit, undefined);
		assert.equal(tries.far, "refused");
		assert.deepEqual(tries.blocked, ["connect-src", "script-src-attr", "script-src-elem", "style-src-elem"]);
		await context.close();
	});
}
