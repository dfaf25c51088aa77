// Keyboard, names for screen readers, contrast, phones.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, shows } from "./browser.mjs";

const VIEWS = ["heatmap", "list", "flame", "waterfall", "log", "nodes", "editor"];

// What every control must have, by the rules that assistive technology goes by. Shadow roots too.
function faults() {
	const out = [],
		all = [];
	const walk = (root) => {
		for (const e of root.querySelectorAll("*")) {
			all.push(e);
			if (e.shadowRoot) walk(e.shadowRoot);
		}
	};
	walk(document);
	const hidden = (e) => e.closest("[hidden], [aria-hidden=true]") || (e.getClientRects().length === 0 && !e.closest("svg"));
	const named = (e) =>
		(e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent || e.getAttribute("title") || "").trim();
	const ids = new Map();
	for (const e of all) {
		if (e.id) ids.set(e.id, (ids.get(e.id) || 0) + 1);
		if (hidden(e)) continue;
		const what = `${e.tagName.toLowerCase()}.${e.getAttribute("class") || ""} ${e.outerHTML.slice(0, 90)}`;
		const role = e.getAttribute("role");
		if (
			(/^(BUTTON|SELECT|INPUT|TEXTAREA|A|CANVAS|DIALOG)$/.test(e.tagName) ||
				role === "button" ||
				role === "img" ||
				role === "textbox") &&
			!named(e)
		)
			out.push(`no name: ${what}`);
		if (e.tagName === "CANVAS" && role !== "img") out.push(`a canvas without a role: ${what}`);
		if (e.tabIndex > 0) out.push(`order of tabs: ${what}`);
		if (e.tagName === "IMG" && !e.hasAttribute("alt")) out.push(`no alt: ${what}`);
		if (e.tagName === "TH" && !e.getAttribute("scope")) out.push(`th without scope: ${what}`);
		if (e.getAttribute("aria-pressed") && !/^(true|false)$/.test(e.getAttribute("aria-pressed"))) out.push(`aria-pressed: ${what}`);
		// what is under a pointer must be reachable by keys
		if (
			getComputedStyle(e).overflowY === "auto" &&
			e.scrollHeight > e.clientHeight + 4 &&
			e.tabIndex < 0 &&
			!e.querySelector("a, button, [tabindex], [contenteditable]") &&
			!e.closest("[contenteditable]")
		)
			out.push(`cannot be scrolled by keys: ${what}`);
	}
	for (const [id, n] of ids) if (n > 1) out.push(`id twice: ${id}`);
	if (!document.documentElement.lang) out.push("no language");
	if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("h1").length !== 1) out.push("one main, one h1");
	if (!document.querySelector("[role=status]") || !document.querySelector("[role=alert]")) out.push("nothing is announced");
	return out;
}

// Text whose colour is too near to what it is on.
function pale() {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = (css) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = css;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const lin = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
	const lum = (c) => 0.2126 * lin(c[0]) + 0.7152 * lin(c[1]) + 0.0722 * lin(c[2]);
	const ground = (e) => {
		const stack = [];
		for (let at = e; at; at = at.parentElement) {
			const c = rgba(getComputedStyle(at).backgroundColor);
			stack.push(c);
			if (c[3] === 255) break;
		}
		return stack
			.reverse()
			.reduce((under, c) => (under ? c.map((v, i) => (i < 3 ? (v * c[3] + under[i] * (255 - c[3])) / 255 : 255)) : c), null);
	};
	const out = [];
	for (const e of document.querySelectorAll("body *")) {
		if (
			![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) ||
			!e.getClientRects().length ||
			e.closest("svg, [disabled], option, dialog:not([open])") ||
			e.disabled
		)
			continue;
		const a = lum(rgba(getComputedStyle(e).color)),
			b = lum(ground(e)),
			ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) out.push(`${ratio.toFixed(2)}: ${e.outerHTML.slice(0, 100)}`);
	}
	return out;
}

export default async function (desk) {
	const context = await desk.newContext({ reducedMotion: "reduce" }),
		page = await desk.page("/", context); // no transitions between colours
	await page.waitForFunction(() => erltrace.run.frames > 2);

	await test("access: every control has a name and a role, in every view", async () => {
		for (const v of VIEWS) {
			await tab(page, v);
			await page.evaluate(() => erltrace.draw());
			assert.deepEqual(await page.evaluate(faults), [], v);
		}
	});
	await test("access: text stands out from its ground, light and dark", async () => {
		for (const theme of ["light", "dark"]) {
			await page.evaluate((t) => {
				document.documentElement.dataset.theme = t;
				erltrace.dirty = true;
			}, theme);
			for (const v of VIEWS) {
				await tab(page, v);
				await page.mouse.move(700, 790);
				assert.deepEqual(await page.evaluate(pale), [], `${v}, ${theme}`);
			}
		}
		await page.evaluate(() => delete document.documentElement.dataset.theme);
	});
	await test("access: dark and light follow the system, until one chooses", async () => {
		const ground = () => getComputedStyle(document.body).backgroundColor;
		await page.emulateMedia({ colorScheme: "dark" });
		const dark = await page.evaluate(ground);
		await page.emulateMedia({ colorScheme: "light" });
		assert.notEqual(await page.evaluate(ground), dark);
		await page.click("button[aria-label='Dark or light']");
		assert.equal(await page.evaluate(ground), dark);
		await page.reload();
		await page.waitForFunction(() => globalThis.erltrace?.run);
		assert.equal(await page.evaluate(ground), dark);
		await page.click("button[aria-label='Dark or light']");
	});
	await test("access: number keys are the views, e the script, ? the help", async () => {
		await page.evaluate(() => document.activeElement.blur());
		for (const [i, v] of VIEWS.entries()) {
			await page.keyboard.press(String(i + 1));
			assert.equal(await page.evaluate(() => erltrace.route), v);
			assert.equal(await page.getAttribute("nav a[aria-current=page]", "data-view"), v);
			assert.equal(await page.title(), `erltrace: ${v}`);
		}
		await page.goBack();
		assert.equal(await page.evaluate(() => erltrace.route), "nodes");
		await page.keyboard.press("1");
		const wide = () => document.querySelector(".plot").clientWidth;
		const before = await page.evaluate(wide);
		await page.keyboard.press("e");
		assert.ok((await page.evaluate(wide)) > before + 200);
		assert.equal(await page.getAttribute("button:has-text('Script')", "aria-expanded"), "false");
		await page.keyboard.press("e");
		await page.keyboard.press("?");
		await page.waitForSelector("dialog[open]");
		assert.match(await page.textContent("dialog"), /Ctrl\+Enter/);
		await page.keyboard.press("2");
		assert.equal(await page.evaluate(() => erltrace.route), "heatmap");
		await page.keyboard.press("Escape");
		await shows(page, () => document.querySelectorAll("dialog").length, 0);
	});
	await test("access: Tab reaches every control of a view, in the order they are seen", async () => {
		await page.goto(`${desk.url.origin}/heatmap`);
		await page.waitForFunction(() => globalThis.erltrace?.views.heatmap.panels?.[0]?.total > 0);
		const seen = [];
		for (let i = 0; i < 60; i++) {
			await page.keyboard.press("Tab");
			const at = await page.evaluate(() => {
				const e = document.activeElement;
				return e.shadowRoot ? "editor" : e.getAttribute("aria-label") || e.textContent;
			});
			seen.push(at);
			if (at === "editor") await page.keyboard.press("Escape"); // the way out of it
			if (/isolate/.test(at)) break;
		}
		for (const name of [
			"Heatmap",
			"Export",
			"Ready scripts",
			"editor",
			"Start the script (Ctrl+Enter)",
			"How keys are shown",
			"Colour scale",
			"line of p99",
			"Pause (space)",
		])
			assert.ok(seen.includes(name), `${name} is not reached: ${seen.join(" | ")}`);
		assert.ok(
			seen.indexOf("Heatmap") < seen.indexOf("Start the script (Ctrl+Enter)") &&
				seen.indexOf("Start the script (Ctrl+Enter)") < seen.indexOf("Colour scale"),
		);
	});
	await context.close();

	await test("access: phone width: nothing is cut off, every view can be used", async () => {
		const phone = await desk.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }),
			p = await desk.page("/", phone);
		await p.waitForFunction(() => erltrace.run.frames > 0);
		for (const v of VIEWS) {
			await p.tap(`nav a[data-view=${v}]`);
			await p.evaluate(() => erltrace.draw());
			const size = await p.evaluate(() => [
				document.documentElement.scrollWidth,
				Math.max(
					...[...document.querySelectorAll("button, select, input")]
						.filter((e) => e.getClientRects().length && !e.closest(".scroll, nav"))
						.map((e) => Math.ceil(e.getBoundingClientRect().right)),
				),
			]);
			assert.ok(size[0] <= 390 && size[1] <= 390, `${v}: ${size}`);
		}
		await p.tap("nav a[data-view=heatmap]");
		await p.tap(".key >> nth=0");
		assert.equal(await p.getAttribute(".key >> nth=0", "aria-pressed"), "true");
		await phone.close();
	});
}
