// The editor: highlighting, completion, errors under the right token, library, recent ones, links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, until } from "./lib.mjs";
import { write, tab, state, shows } from "./browser.mjs";
import { BUILTINS, FUNCTIONS, depthOf } from "../../ui/src/dwords.js";

const inside = (f) => `(() => { const root = document.querySelector(".code").shadowRoot; return (${f})(root); })()`;
const squiggle = inside((r) => [...r.querySelectorAll(".cm-lintRange-error")].map((e) => e.textContent).join(""));
const options = inside((r) => [...r.querySelectorAll(".cm-tooltip-autocomplete li .cm-completionLabel")].map((e) => e.textContent));
const source = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

export default async function (desk) {
	const page = await desk.page("/editor");

	await test("editor: every built-in and function of the language can be completed", () => {
		const names = [...source("src/object/builtin.h").matchAll(/X\(\w+, "(\w+)"/g)].map((m) => m[1]);
		assert.deepEqual(
			names.filter((n) => !BUILTINS[n]),
			[],
		);
		const subrs = [...source("src/object/subr.h").matchAll(/X\(\w+, "(\w+)",.*?\)( \\|$|\s+\/\*)/gm)]
			.filter((m) => !/REFUSED|DESTRUCTIVE|INTERNAL/.test(m[0]))
			.map((m) => m[1]);
		assert.ok(subrs.length > 40);
		assert.deepEqual(
			subrs.filter((n) => !FUNCTIONS[n]),
			[],
		);
		const actions = [...source("src/lang/action.c").matchAll(/^\s+\{"(\w+)", .*\},$/gm)]
			.filter((m) => !/AF_DESTRUCTIVE|AF_REFUSED|ftruncate/.test(m[0]))
			.map((m) => m[1]);
		assert.ok(actions.length > 20);
		assert.deepEqual(
			actions.filter((n) => !FUNCTIONS[n]),
			[],
		);
		assert.deepEqual([depthOf("x { "), depthOf('x { "}" /* } */'), depthOf("x { } ")], [1, 1, 0]);
	});
	await test("editor: D is highlighted", async () => {
		await write(page, '/* note */\ntick-1s\n{\n\t@calls["text"] = count();\n\tself->x = timestamp + 12;\n}\n');
		const of = async (word) =>
			page.evaluate((w) => {
				const e = [...document.querySelector(".code").shadowRoot.querySelectorAll(".cm-line span")].find(
					(s) => s.textContent === w,
				);
				return e ? getComputedStyle(e).color : null;
			}, word);
		const seen = {};
		for (const w of ["/* note */", "tick-1s", "@calls", '"text"', "count", "self", "timestamp", "12"]) seen[w] = await of(w);
		assert.ok(Object.values(seen).every(Boolean), JSON.stringify(seen));
		assert.ok(new Set(Object.values(seen)).size >= 7, JSON.stringify(seen));
	});
	await test("editor: errors stand under the right token while one types", async () => {
		for (const [text, token, words] of [
			["BEGIN { trace(nosuch); }", "nosuch", /line 1: .*nosuch/],
			["BEGIN\n{\n\tx = 1;\n\ty = strlen(5, 6);\n}", null, /line 4: /],
			["BEGIN { @a = count(); }\nnosuch:::probe { }", "nosuch:::probe", /line 2: .*nosuch/],
			["BEGIN { x = ; }", ";", /line 1: /],
		]) {
			await write(page, text);
			await page.waitForFunction((w) => new RegExp(w).test(document.querySelector(".check.bad")?.textContent), words.source);
			if (token) await until(`a line under ${token}`, async () => (await page.evaluate(squiggle)) === token);
		}
		await write(page, "BEGIN { trace(1); }");
		await page.waitForSelector(".check.ok");
		assert.match(await page.textContent(".check"), /compiles: 1 clause, 1 probe/);
		assert.equal(await page.evaluate(squiggle), "");
	});
	await test("editor: completes probes outside of braces, functions and built-ins inside", async () => {
		const type = async (text) => {
			await write(page, "");
			await page.evaluate(() => erltrace.editor.view.focus());
			await page.keyboard.type(text, { delay: 15 });
		};
		const offers = (what, among = 100) =>
			until(`${what} is offered`, async () => (await page.evaluate(options)).slice(0, among).includes(what));
		await page.waitForFunction(() => erltrace.editor.probes.length > 0);
		await type("BE");
		await offers("BEGIN");
		await page.keyboard.press("Escape");
		await type("BEGIN { @n = quan");
		await offers("quantize", 1);
		await page.waitForTimeout(150); // a list that has just opened takes no Enter
		await page.keyboard.press("Enter");
		assert.match(await page.evaluate(() => erltrace.editor.text), /@n = quantize\($/);
		await type("BEGIN { x = walltime");
		await offers("walltimestamp");
		await page.keyboard.press("Escape");
		await type("BEGIN { @latency = count(); clear(@la");
		await offers("@latency");
		await page.keyboard.press("Escape");
	});
	await test("editor: the keyboard can leave it, and start", async () => {
		await write(page, "tick-100ms { @n = count(); }");
		await page.evaluate(() => erltrace.editor.view.focus());
		await page.keyboard.press("Tab");
		assert.match(await page.evaluate(() => erltrace.editor.text), /\t/);
		await page.keyboard.press("Escape");
		await page.keyboard.press("Tab");
		assert.equal(await page.evaluate(() => document.activeElement.textContent), "Start");
		await page.evaluate(() => erltrace.editor.view.focus());
		const id = await page.evaluate(() => erltrace.run.id);
		await page.keyboard.press("Control+Enter");
		await page.waitForFunction((x) => erltrace.run && erltrace.run.id !== x && erltrace.run.info.state === "running", id);
	});
	await test("editor: the library explains, finds, opens and runs", async () => {
		const cards = await page
			.locator(".shelf h2:not(:has-text('recent')) + ul li")
			.evaluateAll((ls) => ls.map((l) => [l.querySelector("b").textContent, l.querySelector("p").textContent]));
		assert.ok(cards.length >= 5 && cards.every(([n, about]) => n && about.length > 8), JSON.stringify(cards));
		await page.fill("input[aria-label='Find a script']", "flame");
		await shows(page, () => [...document.querySelectorAll(".shelf li b")].map((b) => b.textContent).includes("demo: log"), false);
		await page.click("button[aria-label='open demo: a flame in the editor']");
		assert.match(await page.evaluate(() => erltrace.editor.text), /shop_web:request/);
		assert.equal(await page.evaluate(() => erltrace.route), "editor");
		await page.click("button[aria-label='run demo: a flame']");
		await state(page, "running");
		assert.equal(await page.evaluate(() => erltrace.route), "flame");
		await page.waitForFunction(() => erltrace.views.flame.boxes.size > 8);
	});
	await test("editor: recent scripts are there the next time", async () => {
		await tab(page, "editor");
		await page.fill("input[aria-label='Find a script']", "");
		await write(page, "tick-77ms { @mine = count(); }");
		assert.match(await page.textContent(".caption"), /^demo: a flame, changed\s*$/);
		await page.click(".side button.go");
		await page.waitForFunction(() => /tick-77ms/.test(erltrace.run?.info?.script));
		const p = await desk.page("/editor");
		await p.waitForFunction(() => /tick-77ms/.test(document.querySelector(".shelf").textContent));
		await p.close();
	});
	await test("editor: a link carries script, view and its settings, and starts nothing", async () => {
		const text = 'tick-100ms\n{\n\t@é["ü"] = quantize(1);\n}\n'.replace("é", "e");
		await write(page, text);
		await tab(page, "heatmap");
		await page.selectOption("select[aria-label='Colour scale']", "rank");
		await page.selectOption("select[aria-label='Value axis']", "linear");
		await page.selectOption("select[aria-label=Interval]", "5000");
		await page.click("button[aria-label^='Copy a link']");
		await page.waitForSelector(".message:not([hidden])");
		const url = page.url(),
			other = await desk.newContext();
		const p = await desk.page(url.slice(desk.url.origin.length), other);
		assert.equal(await p.evaluate(() => erltrace.editor.text), text);
		await p.waitForFunction(() => /came with the link/.test(document.querySelector(".caption").textContent));
		assert.deepEqual(
			await p.evaluate(() => [
				erltrace.run,
				erltrace.route,
				erltrace.interval,
				erltrace.views.heatmap.colour,
				erltrace.views.heatmap.axis,
			]),
			[null, "heatmap", 5000, "rank", "linear"],
		);
		await p.goto(`${desk.url.origin}/list#s=%%%`);
		await p.reload();
		await p.waitForFunction(() => globalThis.erltrace?.run?.info?.state === "running");
		await other.close();
		await page.selectOption("select[aria-label='Colour scale']", "sqrt");
		await page.selectOption("select[aria-label='Value axis']", "log");
	});
	await page.close();
}
