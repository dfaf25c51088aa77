// The page on a live Erlang node: what it shows, and that nothing is left when it is gone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import readline from "node:readline";
import { Server, Client, launch, test, sleep, PATIENCE, GRACE } from "./lib.mjs";

// A node that works, and answers on standard output when a line comes in: how many processes and functions are traced.
const PROGRAM = `
Work = fun Work(N) -> lists:seq(1, 10), self() ! N, receive _ -> ok end, timer:sleep(5), Work(N + 1) end,
[spawn(fun() -> Work(0) end) || _ <- lists:seq(1, 4)],
Flags = fun() -> length([P || P <- processes(), {flags, F} <- [erlang:trace_info(P, flags)], F =/= []]) end,
Patterns = fun() -> length([1 || {_, A} <- [{1, 1}], A =:= 1, {traced, T} <- [erlang:trace_info({lists, seq, 2}, traced)], T =/= false]) end,
Loop = fun Loop() -> case io:get_line("") of eof -> halt(); _ -> io:format("~p ~p~n", [Flags(), Patterns()]), Loop() end end,
io:format("ready ~s~n", [node()]), Loop().`;

async function startNode() {
	const name = `page_${process.pid}`, cookie = `c${process.pid}`;
	const child = spawn("erl", ["-noinput", "-noshell", "-sname", name, "-setcookie", cookie, "-eval", PROGRAM].filter((a) => a !== "-noinput"), { stdio: ["pipe", "pipe", "inherit"] });
	const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const full = (await lines.next()).value.split(" ")[1];
	return { child, cookie, name: full, left: async () => { child.stdin.write("\n"); return (await lines.next()).value; } };
}

export async function nodeTests(program) {
	const node = await startNode();
	const server = new Server(program, ["-N", node.name, "--cookie", node.cookie, "-N", "nobody@nowhere"]);
	const clean = async (ms = 2000 + GRACE) => {
		const at = Date.now();
		let left;
		do left = await node.left(); while (left !== "0 0" && Date.now() - at < ms && (await sleep(50), true));
		assert.equal(left, "0 0", "something is still traced");
		return Date.now() - at;
	};
	const SCRIPT = "erlang*:lists:seq/2:entry { @n[probefunc] = count(); @m[copyinstr(arg0)] = count(); }";
	await test("a script on a node: numbers, and nothing left after stop", async () => {
		const c = await Client.open(server);
		assert.equal(await node.left(), "0 0");
		const { run } = await c.ask({ t: "start", node: node.name, script: "erlang*:lists:seq/2:entry { @n[probefunc] = count(); @q = quantize(5); }", interval: 500 });
		const f = await c.wait((m) => m.t === "frame" && m.run === run && m.aggs.length === 2);
		assert.equal(f.aggs[0].elems[0][0][0], "seq/2");
		assert.notEqual(await node.left(), "0 0");
		c.send({ t: "stop", run });
		console.log(`      clean after ${await clean()} ms`);
		await c.close();
	});
	await test("a client that vanishes leaves nothing", async () => {
		for (const how of ["terminate", "pause"]) {
			const c = await Client.open(server);
			await c.ask({ t: "start", node: node.name, script: "erlang*:::message-send { @[copyinstr(arg0)] = count(); }" });
			await c.wait((m) => m.t === "frame" && m.aggs.length);
			if (how === "pause") c.ws._socket.pause();
			else c.ws.terminate();
			console.log(`      ${how}: clean after ${await clean()} ms`);
			c.ws.terminate();
		}
	});
	await test("two scripts on one node at once, and a check beside them", async () => {
		const a = await Client.open(server), b = await Client.open(server);
		for (const c of [a, b]) await c.ask({ t: "start", node: node.name, script: "erlang*:lists:seq/2:entry { @n[probefunc] = count(); }", interval: 500 });
		assert.equal((await a.ask({ t: "check", node: node.name, script: "erlang*:::message-send { trace(1); }" })).ok, true);
		for (const c of [a, b]) await c.wait((m) => m.t === "frame" && m.aggs.length);
		await a.close();
		await b.next((m) => m.t === "frame" && m.aggs.length);
		await b.close();
		await clean();
	});
	await test("the nodes, and probes to complete", async () => {
		const c = await Client.open(server);
		const m = await c.ask({ t: "nodes" });
		assert.equal(m.nodes[0].ok, true);
		assert.ok(m.nodes[0].probes > 50);
		assert.equal(m.nodes[1].ok, false);
		assert.ok(m.nodes[1].msg.length > 10);
		const p = await c.ask({ t: "probes", node: node.name, desc: "" });
		assert.ok(p.probes.some((x) => x[3] === "message-send"));
		const k = await c.ask({ t: "check", node: node.name, script: "erlang*:::message-sent { trace(1); }" });
		assert.equal(k.ok, false);
		await c.close();
		await clean();
	});
	await test("first sight on a node; page closed and tab killed", async () => {
		const browser = await launch();
		const context = await browser.newContext({ viewport: { width: 1360, height: 800 } });
		const u = new URL(server.urls.at(-1));
		for (const how of ["close", "crash"]) {
			const page = await context.newPage();
			await page.goto(how === "close" ? u.href : u.origin);
			await page.waitForFunction(() => erltrace.run?.info?.state === "running" && erltrace.views.heatmap.panels?.[0]?.total > 10, null, { timeout: PATIENCE }).catch(async (e) => { throw new Error(`${e.message}: ${await page.evaluate(() => document.body.innerText.slice(0, 400) + JSON.stringify(erltrace.run?.info) + erltrace.run?.frames)}`); });
			assert.equal(await page.evaluate(() => erltrace.run.info.node), node.name);
			if (how === "close" && process.env.SCREENS) {
				await page.waitForTimeout(8000);
				await page.screenshot({ path: `${process.env.SCREENS}/heatmap-node.png` });
				await page.click("nav a[data-view=nodes]");
				await page.waitForTimeout(3000);
				await page.screenshot({ path: `${process.env.SCREENS}/nodes-node.png` });
			}
			if (how === "close") await page.close();
			else (await context.newCDPSession(page)).send("Page.crash").catch(() => {});
			console.log(`      ${how}: clean after ${await clean()} ms`);
		}
		await browser.close();
	});
	await test("the server killed leaves nothing", async () => {
		const c = await Client.open(server);
		await c.ask({ t: "start", node: node.name, script: SCRIPT });
		await c.wait((m) => m.t === "frame" && m.aggs.length);
		server.child.kill("SIGKILL");
		console.log(`      clean after ${await clean(4000 + GRACE)} ms`);
	});
	node.child.stdin.end();
	node.child.kill();
}
