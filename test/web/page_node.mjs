// The page in Chromium on live Erlang nodes: one, several, several merged; stacks; what the nodes' view says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./lib.mjs";
import { startNode } from "./node.mjs";
import { Desk, tab, shows, start, choose } from "./browser.mjs";

// Calls of lists:duplicate/2 are what a test asks for; by how many each is long.
const FREE = "#pragma D option maxoverhead=100\n"; // the machine may be busy
const WORK = `${FREE}erlang*:lists:duplicate/2:entry { @calls[probefunc] = count(); @long["n"] = lquantize(args[0], 0, 100, 10); }`;
const table = () => [...document.querySelectorAll(".list tbody tr")].map((r) => [r.cells[0].lastChild.textContent, r.cells[1].textContent]);

export async function nodePageTests(program) {
	const [a, b] = [await startNode(), await startNode()];
	const desk = await Desk.open(program, ["-N", a.name, "-N", b.name, "-N", "nobody@nowhere", "--cookie", a.cookie]);
	const page = desk.first;
	const on = async (where, script, view) => {
		await page.selectOption("select[aria-label=Node]", where);
		await page.selectOption("select[aria-label=Interval]", "200");
		await tab(page, view);
		await start(page, script);
	};
	const running = (n) => page.waitForFunction((x) => erltrace.run.info.nodes?.filter((p) => p.state === "running").length === x, n);

	await test("first sight on a node: its messages, with a unit", async () => {
		await page.waitForFunction(() => erltrace.run?.info?.state === "running" && erltrace.views.heatmap.panels?.[0]?.total > 10);
		assert.equal(await page.evaluate(() => erltrace.run.info.node), a.name);
		assert.equal(await page.getAttribute(".plot canvas", "data-unit"), "us");
		await page.waitForFunction(() => /% of a scheduler/.test(document.querySelector(".cost").textContent));
	});
	await test("one script on several nodes, each by itself: the node is the first key", async () => {
		await on("*", WORK, "list");
		await running(2);
		await page.waitForFunction(() => /failed on nobody@nowhere/.test(document.querySelector(".message").textContent));
		await a.work(5, 15, 15);
		await b.work(95);
		await shows(page, table, [
			[a.name, "3"],
			["duplicate/2", "3"],
			[b.name, "1"],
			["duplicate/2", "1"],
		]);
		await page.waitForFunction(() => /2 of 3 nodes/.test(document.querySelector(".cost").textContent));
		await tab(page, "heatmap");
		await choose(page, "@long lquantize()");
		await page.selectOption("select[aria-label='How keys are shown']", "group");
		await shows(page, () => {
			const v = erltrace.views.heatmap;
			v.draw();
			return [...v.drawn.o.hues].map(([k, n]) => [v.drawn.agg.elems[k].parts[0], n]);
		}, [
			[a.name, 0],
			[b.name, 1],
		]);
		await page.selectOption("select[aria-label='How keys are shown']", "merged");
	});
	await test("the nodes' view: state, probes, events, drops, overhead, guard of each", async () => {
		await tab(page, "nodes");
		// when both are known, and an interval was measured on each
		const known = await page.waitForFunction(() => {
			const rows = [...document.querySelectorAll(".nodes table:first-of-type tbody tr")].map((r) => [...r.cells].map((c) => c.textContent));
			return rows.length === 4 && rows.slice(1, 3).every((r) => /\d of \d/.test(r[2]) && r[8].endsWith("%")) && rows;
		});
		const [here, one, two, none] = await known.jsonValue();
		assert.deepEqual([here[0], here[1]], ["this server", "ready"]);
		for (const [r, n] of [
			[one, a],
			[two, b],
		]) {
			assert.deepEqual([r[0], r[1], r[3], r[6], r[7]], [n.name, "tracing", "1", "0", "0"]);
			assert.match(r[2], /^\d+ of [\d,]+$/);
			assert.match(r[8], /^[\d.]+ %$/);
			assert.match(r[9], /^armed, \d+ %$/);
		}
		assert.equal(none[0], "nobody@nowhere");
		assert.match(none[1], /nowhere/);
	});
	await test("several nodes merged are as one", async () => {
		await on("+", WORK, "list");
		await running(2);
		await a.work(5, 15);
		await b.work(95);
		await shows(page, table, [["duplicate/2", "3"]]);
	});
	await test("flame: the stacks of Erlang processes", async () => {
		await on(a.name, `${FREE}erlang*:lists:seq/2:entry { @[stack()] = count(); }`, "flame");
		await page.waitForFunction(() => {
			const at = (n) => [...erltrace.views.flame.boxes.values()].find((e) => e.node.name === n || e.node.name.startsWith(`${n}:`))?.at.row; // ":line" from OTP 26 on
			return at("lists:seq/2") > at("erl_eval:do_apply/7") && at("erl_eval:do_apply/7") > 0;
		});
		const total = await page.evaluate(() => {
			erltrace.draw();
			return [erltrace.views.flame.root.now, erltrace.views.flame.agg().elems.reduce((s, e) => s + e.value, 0)];
		});
		assert.equal(total[0], total[1]);
	});
	await test("waterfall: a request to a server, with the server's name", async () => {
		await on(a.name, readFileSync(new URL("../../scripts/request-path.d", import.meta.url), "utf8").replace("\n", `\n${FREE}`), "waterfall");
		await a.ask();
		const row = await page.waitForFunction(() => {
			const of = (x) => x.name === "application_controller" && x.what === "which_applications";
			return erltrace.views.waterfall.list.flatMap((r) => r.hops.map((x) => [r, x])).find(([r, x]) => of(x) && x.run > 0 && r.total >= x.at + x.wait + x.run)?.[1];
		});
		const { process, depth, reply } = await row.jsonValue();
		assert.match(process, /^<0\.\d+\.0>$/);
		assert.equal(depth, 0);
		assert.match(reply, /^\[\{/);
	});
	await test("completion and errors are those of the node", async () => {
		await tab(page, "editor");
		await page.waitForFunction(() => erltrace.editor.probes.some((p) => p[3] === "message-send"));
		await page.evaluate(() => (erltrace.editor.text = "erlang*:::message-sent { trace(1); }"));
		await page.waitForFunction(() => /message-sen/.test(document.querySelector(".check.bad")?.textContent));
		await page.evaluate(() => (erltrace.editor.text = "erlang*:::message-send { trace(1); }"));
		await page.waitForSelector(".check.ok");
	});
	await test("nodes: no error and no breach of policy in the browser", () => assert.deepEqual(desk.errors, []));
	await desk.close();
	for (const n of [a, b]) n.end();
}
