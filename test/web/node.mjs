// The page on a live Erlang node: what it shows, and that nothing is left when it is gone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import readline from "node:readline";
import { Server, Client, launch, test, sleep, until, PATIENCE, GRACE } from "./lib.mjs";

// A node that works, and answers on standard output when a line comes in: how many processes and functions are traced. From OTP 27
// on erltrace traces in sessions of its own, which trace_info/2 of the module erlang does not see. Each session counts as one more.
const PROGRAM = `
Work = fun Work(N) -> lists:seq(1, 10), self() ! N, receive _ -> ok end, timer:sleep(5), Work(N + 1) end,
[spawn(fun() -> Work(0) end) || _ <- lists:seq(1, 4)],
HasSessions = erlang:system_info(otp_release) >= "27",
Sessions = fun() -> [S || HasSessions, {Name, _} = S <- apply(trace, session_info, [all]), lists:member(Name, [erltrace, erltrace_counters, erltrace_levels])] end,
Gone = fun(F) -> try F() catch error:_ -> gone end end,
Info = fun(Item, Key) when HasSessions -> [Gone(fun() -> apply(trace, info, [S, Item, Key]) end) || S <- Sessions()]; (Item, Key) -> [erlang:trace_info(Item, Key)] end,
Flags = fun() -> length(Sessions()) + length([P || P <- processes(), {flags, F} <- Info(P, flags), F =/= []]) end,
Patterns = fun() -> length([1 || {traced, T} <- Info({lists, seq, 2}, traced), T =/= false]) end,
Do = fun("work " ++ Numbers) -> [lists:duplicate(list_to_integer(N), x) || N <- string:lexemes(Numbers, " \\n")]; ("ask" ++ _) -> application:which_applications(); ("calls " ++ N) -> Server = spawn(fun S() -> receive {A, x} -> A ! ok, S() end end), [begin A = alias([reply]), Server ! {A, x}, receive ok -> ok end end || _ <- lists:seq(1, list_to_integer(string:trim(N)))], exit(Server, kill); (_) -> ok end,
Spin = fun Spin(Until, N) -> [lists:duplicate(3, x) || _ <- [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], case erlang:monotonic_time(millisecond) < Until of true -> Spin(Until, N + 10); false -> N end end,
Measure = fun(Ms) -> {R0, _} = statistics(runtime), N = Spin(erlang:monotonic_time(millisecond) + Ms, 0), {R1, _} = statistics(runtime), N / max(1, R1 - R0) end,
Loop = fun Loop() -> case io:get_line("") of eof -> halt(); "spin " ++ Ms -> io:format("~.3f~n", [Measure(list_to_integer(string:trim(Ms)))]), Loop(); Line -> Do(Line), io:format("~p ~p~n", [Flags(), Patterns()]), Loop() end end,
io:format("ready ~s~n", [node()]), Loop().`;

let nodes = 0;
export async function startNode() {
	const name = `page${nodes++}_${process.pid}`, cookie = `c${process.pid}`;
	const child = spawn("erl", ["-noinput", "-noshell", "-sname", name, "-setcookie", cookie, "-eval", PROGRAM].filter((a) => a !== "-noinput"), { stdio: ["pipe", "pipe", "inherit"] });
	const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const full = (await lines.next()).value.split(" ")[1];
	const say = async (line) => { child.stdin.write(`${line}\n`); return (await lines.next()).value; };
	return { child, cookie, name: full, left: () => say(""), spin: async (ms) => Number(await say(`spin ${ms}`)), work: (...numbers) => say(`work ${numbers.join(" ")}`), ask: () => say("ask"), calls: (n) => say(`calls ${n}`), end: () => { child.stdin.end(); child.kill(); } };
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
	const SCRIPT = "erlang*:lists:seq/2:entry { @n[probefunc] = count(); @m[text(args[0])] = count(); }";
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
	await test("the page's own scripts about messages lose nothing to the aliases that answer calls", async () => {
		const c = await Client.open(server);
		const { scripts } = await c.wait((m) => m.t === "hello");
		for (const name of ["message latency", "messages"]) {
			const script = "#pragma D option maxoverhead=100\n" + scripts.find((s) => s.name === name).text;
			const { run } = await c.ask({ t: "start", node: node.name, script, interval: 100 });
			await c.next((m) => m.t === "frame" && m.run === run);
			await node.calls(20000);
			const f = await c.next((m) => m.t === "frame" && m.run === run && m.status.events > 20000);
			assert.equal(f.status.drops, 0, name);
			assert.ok(f.status.elements < 100, name);
			c.send({ t: "stop", run });
			await clean();
		}
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
		const u = await server.another();
		for (const how of ["close", "crash"]) {
			const page = await context.newPage();
			await page.goto(how === "close" ? u.href : u.origin);
			await page.waitForFunction(() => erltrace.run?.info?.state === "running" && erltrace.views.heatmap.panels?.[0]?.total > 10, null, { timeout: PATIENCE }).catch(async (e) => { throw new Error(`${e.message}: ${await page.evaluate(() => document.body.innerText.slice(0, 400) + JSON.stringify(erltrace.run?.info) + erltrace.run?.frames)}`); });
			assert.equal(await page.evaluate(() => erltrace.run.info.node), node.name);
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
	node.end();
	await frozenNode(program);
	await severalNodes(program);
}

// The signal takes effect when a thread of the process gets a processor; until then the others go on.
async function freeze({ pid }) {
	process.kill(pid, "SIGSTOP");
	const stands = (thread) => /^State:\tT/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "latin1"));
	await until("it stands still", () => readdirSync(`/proc/${pid}/task`).every(stands));
}

async function frozenNode(program) {
	const a = await startNode(), b = await startNode();
	const server = new Server(program, ["-N", b.name, "-N", a.name, "--cookie", a.cookie, "--deadline", "8"]);
	await test("a node that is frozen keeps neither other nodes, nor other pages, nor the server's end waiting", async () => {
		const c = await Client.open(server), d = await Client.open(server);
		assert.ok((await c.ask({ t: "nodes" })).nodes.every((n) => n.ok));
		await freeze(b.child);
		const stuck = [c.ask({ t: "nodes" }), c.ask({ t: "check", node: b.name, script: "erlang*:::message-send { }" })];
		await d.ask({ t: "start", node: b.name, script: "erlang*:::message-send { @ = count(); }" });
		assert.equal((await d.ask({ t: "check", node: a.name, script: "erlang*:::message-send { }" })).ok, true);
		const [m, k] = await Promise.all(stuck);
		assert.deepEqual(m.nodes.map((n) => n.ok), [false, true]);
		assert.match(m.nodes[0].msg, /not answered in time/);
		assert.match(k.msg, /took longer than 8 s/);
		const from = Date.now();
		assert.deepEqual(await server.stop(), { code: 0, signal: null });
		assert.ok(Date.now() - from < 2000 + GRACE / 3, `${Date.now() - from} ms`);
	});
	b.child.kill("SIGCONT");
	await server.stop();
	for (const n of [a, b]) n.end();
}

async function severalNodes(program) {
	const a = await startNode(), b = await startNode();
	const server = new Server(program, ["-N", a.name, "-N", b.name, "-N", "nobody@nowhere", "--cookie", a.cookie]);
	const SCRIPT = `erlang*:lists:duplicate/2:entry { @n["calls"] = count(); @sum = sum(args[0]); @avg = avg(args[0]); @min = min(args[0]); @max = max(args[0]);
		@sd = stddev(args[0]); @q["size"] = lquantize(args[0], 0, 10, 1); }`;
	// Everything that a client was given, put together.
	const state = (c, run) => {
		const all = new Map();
		for (const f of c.got.filter((m) => m.t === "frame" && m.run === run)) for (const g of f.aggs) for (const e of g.elems) all.set(`${g.name} ${e[0].join()}`, e);
		return all;
	};
	const running = (c, run, n) => c.wait((m) => m.t === "runs" && m.runs.some((r) => r.id === run && r.nodes.filter((x) => x.state === "running").length === n));
	const traced = async (c, run, merged) => {
		await running(c, run, 2);
		await a.work(1, 2, 3);
		await b.work(5, 7);
		await until("all calls are told", () => {
			const s = state(c, run);
			return merged ? s.get("n calls")?.[1] === 5 : s.get(`n ${a.name},calls`)?.[1] === 3 && s.get(`n ${b.name},calls`)?.[1] === 2;
		});
		return state(c, run);
	};
	await test("one script on several nodes: the node is the first key", async () => {
		const c = await Client.open(server);
		const { run } = await c.ask({ t: "start", nodes: [a.name, b.name], script: SCRIPT, interval: 200 });
		const s = await traced(c, run, false);
		assert.equal(s.get(`sum ${a.name}`)[1], 6);
		assert.equal(s.get(`sum ${b.name}`)[1], 12);
		assert.deepEqual(s.get(`q ${b.name},size`)[3], [6, 1, 8, 1]);
		const f = c.got.findLast((m) => m.t === "frame");
		assert.deepEqual(f.status.nodes.map((n) => n.name), [a.name, b.name]);
		for (const n of f.status.nodes) assert.deepEqual([n.state, n.limit, n.guard, n.matches > 0], ["running", 25, false, true]);
		assert.equal(f.status.nodes[0].events, 7 * 3);
		await c.close();
		for (const n of [a, b]) await until("nothing is left", async () => (await n.left()) === "0 0");
	});
	await test("several nodes merged: every function adds up as on one", async () => {
		const c = await Client.open(server);
		const { run } = await c.ask({ t: "start", nodes: [a.name, b.name], merged: true, script: SCRIPT, interval: 200 });
		const s = await traced(c, run, true);
		for (const [k, v] of Object.entries({ "n calls": 5, "sum ": 18, "avg ": 3, "min ": 1, "max ": 7, "sd ": 2 })) assert.equal(s.get(k)[1], v, k);
		assert.equal(s.get("avg ")[2], 5);
		assert.deepEqual(s.get("q size")[3], [2, 1, 3, 1, 4, 1, 6, 1, 8, 1]);
		await c.close();
	});
	await test("a node that is not there, or goes, leaves the others running", async () => {
		const c = await Client.open(server);
		const { run } = await c.ask({ t: "start", nodes: [a.name, "nobody@nowhere", b.name], script: SCRIPT, interval: 200 });
		const failed = (await c.wait((m) => m.t === "runs" && m.runs.some((r) => r.id === run && r.nodes[1].state === "failed"))).runs.find((r) => r.id === run);
		assert.ok(failed.nodes[1].why.length > 10);
		await traced(c, run, false);
		b.child.kill("SIGKILL");
		const gone = (await c.wait((m) => m.t === "runs" && m.runs.some((r) => r.id === run && r.nodes[2].state === "failed"))).runs.find((r) => r.id === run);
		assert.equal(gone.state, "running");
		assert.ok(gone.nodes[2].why.length > 10);
		await a.work(4);
		await until("the other one goes on", () => state(c, run).get(`n ${a.name},calls`)[1] === 4);
		await c.close();
		await until("nothing is left", async () => (await a.left()) === "0 0");
	});
	await test("what tracing costs a node is measured", async () => {
		const c = await Client.open(server);
		await c.ask({ t: "start", node: a.name, script: "erlang*:::message-send { @[copyinstr(arg0)] = count(); } erlang*:lists:seq/2:entry { @n[probefunc] = count(); }", interval: 500 });
		const f = await c.wait((m) => m.t === "frame" && m.status.nodes[0].overhead > 0);
		console.log(`      ${f.status.nodes[0].rate.toFixed(0)} events/s take ${f.status.nodes[0].overhead} % of a scheduler`);
		assert.ok(f.status.nodes[0].overhead < 25);
		await c.close();
	});
	await test("64 pages at 10 frames a second cost the node no more than one", async () => {
		const seconds = Number(process.env.LONG || 4), rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]);
		const pages = [await Client.open(server)];
		const count = (c) => { c.frames = 0; c.ws.on("message", (d) => { if (d.toString().startsWith('{"t":"frame"')) c.frames++; c.got.length = 0; }); };
		const free = await a.spin(seconds * 1000);
		const { run } = await pages[0].ask({ t: "start", node: a.name, interval: 100, options: { maxoverhead: "0" }, script: 'erlang*:lists:duplicate/2:entry { @["size"] = lquantize(args[0], 0, 10, 1); @n = count(); }' });
		await pages[0].wait((m) => m.t === "frame" && m.run === run);
		const one = await a.spin(seconds * 1000);
		pages.push(...(await Promise.all(Array.from({ length: 63 }, () => Client.open(server)))));
		for (const c of pages.slice(1)) c.send({ t: "watch", run, history: false });
		for (const c of pages) count(c);
		await a.spin(1000);
		for (const c of pages) c.frames = 0;
		const before = rss(), at = Date.now(), many = await a.spin(seconds * 1000), took = (Date.now() - at) / 1000, after = rss();
		const rates = pages.map((c) => c.frames / took);
		console.log(`      calls a ms of CPU: ${free.toFixed(0)} without tracing, ${one.toFixed(0)} with one page, ${many.toFixed(0)} with 64; ${Math.min(...rates).toFixed(1)} … ${Math.max(...rates).toFixed(1)} frames/s; ${before} → ${after} kB`);
		assert.ok(many > one * (process.env.STRICT ? 0.9 : 0.6), "more pages cost the node more");
		assert.ok(after - before < 4096 || process.env.SAN, "memory grows");
		assert.ok(Math.min(...rates) > (process.env.STRICT ? 9 : 1)); // less only where the machine has no time for it
		await Promise.all(pages.map((c) => c.close()));
		await until("nothing is left", async () => (await a.left()) === "0 0");
	});
	await test("nodes that the server was not started for, twice the same, too many", async () => {
		const c = await Client.open(server);
		const error = async (nodes) => (await c.ask({ t: "start", nodes, script: SCRIPT })).msg;
		assert.match(await error([a.name, "other@host"]), /not started for this node/);
		assert.match(await error([a.name, a.name]), /twice/);
		assert.match(await error("x"), /array/);
		assert.match(await error(Array(17).fill(a.name)), /at most 16/);
		assert.match(await error([7]), /not started/);
		await c.close();
	});
	await server.stop();
	a.end();
	b.end();
}
