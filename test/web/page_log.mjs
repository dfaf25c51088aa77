// The log and the nodes.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { tab, shows, start, state } from "./browser.mjs";

const lines = () => [...document.querySelectorAll(".log li span")].map((s) => s.textContent);

export default async function (desk) {
	const page = await desk.run(
		'BEGIN { printf("first\\n"); trace(42); printf("\\n<b>two</b>\\n"); } tick-10ms /n < 30/ { printf("line %d\\n", n++); } tick-200ms { x = *(int *)8; }',
		{ where: "/log" },
	);

	await test("log: what printf and trace say, in order, as text", async () => {
		await page.waitForFunction(() => erltrace.run.log.some((l) => l.text.includes("line 29")));
		const all = await page.evaluate(lines),
			records = all.filter((l) => !/error|fault|invalid/.test(l));
		assert.deepEqual(records[0].split(/\s+/), ["first", "42", "<b>two</b>"]);
		assert.deepEqual(
			records.filter((l) => /^line/.test(l)),
			Array.from({ length: 30 }, (_, i) => `line ${i}`),
		);
	});
	await test("log: faults are shown between, as such", async () => {
		await page.waitForSelector(".log li.error");
		assert.match(await page.textContent(".log li.error span"), /invalid address/);
	});
	await test("log: filters by text and probe", async () => {
		await page.fill("input[aria-label='Filter lines']", "LINE 7");
		await shows(page, lines, ["line 7"]);
		assert.match(await page.textContent(".view .note"), /1 line\./);
		await page.fill("input[aria-label='Filter lines']", "begin");
		await shows(page, () => document.querySelectorAll(".log li").length, 1);
		await page.fill("input[aria-label='Filter lines']", "");
	});
	await test("log: follows until one scrolls up, and is capped with words", async () => {
		await start(page, 'tick-20ms { printf("%d\\n", n++); }');
		await page.evaluate(() =>
			erltrace.run.lines({
				lost: 7,
				lines: Array.from({ length: 6000 }, (_, i) => ({ kind: "record", probe: "p:::q", text: `made up ${i}\n` })),
			}),
		);
		await page.waitForFunction(() => document.querySelectorAll(".log li").length === 1000);
		assert.equal(await page.evaluate(() => erltrace.run.log.length <= 5000), true);
		await page.waitForFunction(() => {
			const o = document.querySelector(".log");
			return o.scrollHeight - o.scrollTop - o.clientHeight < 3;
		});
		await page.waitForFunction(() => /the last 1,000 shown.*7 were lost/.test(document.querySelector(".view .note").textContent));
		await page.evaluate(() => (document.querySelector(".log").scrollTop = 0));
		await page.waitForFunction(() => !erltrace.views.log.follow);
		assert.equal(await page.isChecked("label:has-text('follow') input"), false);
		const top = await page.evaluate(() => document.querySelector(".log li span").textContent);
		await page.waitForFunction(() => /[2-9]\d* new ones below/.test(document.querySelector(".view .note").textContent));
		assert.equal(await page.evaluate(() => document.querySelector(".log li span").textContent), top);
		await page.check("label:has-text('follow') input");
		await page.waitForFunction(() => !/below/.test(document.querySelector(".view .note").textContent));
	});
	await test("nodes: what runs here, how much, and its end", async () => {
		await start(page, "profile-100hz { @n = count(); }");
		// A view is drawn when it is shown, not a moment later: its rows are there at once.
		assert.equal(
			await page.evaluate(() => {
				erltrace.views.nodes.body.replaceChildren();
				erltrace.go("nodes");
				return erltrace.views.nodes.body.rows.length;
			}),
			1,
		);
		const row = () => [...document.querySelectorAll(".nodes tbody tr")][0].cells;
		await page.waitForFunction(() => {
			const c = document.querySelector(".nodes tbody tr").cells;
			// the script before this one may still be ending
			return c[1].textContent === "tracing" && c[3].textContent === "1" && parseFloat(c[4].textContent) > 20;
		});
		const cells = await page.evaluate(`[...(${row})()].map((c) => c.textContent)`);
		assert.deepEqual([cells[0], cells[1], cells[2], cells[3], cells[6], cells[7]], ["this server", "tracing", "1", "1", "0", "0"]);
		await page.waitForFunction(() => /profile-100hz|running/.test(document.querySelectorAll(".nodes table")[1].textContent));
		await page.click("button[aria-label='Stop the script']");
		await state(page, "ended");
		await page.waitForFunction(() => document.querySelector(".nodes tbody tr").cells[1].textContent === "ready");
	});
	await page.close();
}
