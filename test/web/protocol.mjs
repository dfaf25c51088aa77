// The server without a browser: who gets in, the two protocols, limits, and bad input.
import assert from "node:assert/strict";
import net from "node:net";
import https from "node:https";
import { cpus } from "node:os";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { Server, Client, keyOf, sessionOf, test, sleep, until, scratch, GRACE } from "./lib.mjs";

const KNOWN = 'tick-100ms { @n["a", "x"] = count(); @n["a", "y"] = count(); @s["b"] = sum(7); @q["k"] = lquantize(42, 0, 100, 10); }';

const rejects = (server, where, headers) => Client.open(server, { path: where, headers }).then((c) => { c.close(); throw new Error("let in"); }, (e) => assert.match(e.message, /refused/));

// Bytes over TCP; what came back until the other side closed or `ms`.
function raw(u, bytes, ms = 2000) {
	return new Promise((done) => {
		const s = net.connect(u.port, u.hostname);
		let got = "";
		const t = setTimeout(() => { s.destroy(); done({ got, open: true }); }, ms);
		s.on("data", (d) => (got += d.toString("latin1")));
		s.on("error", () => {});
		s.on("close", () => { clearTimeout(t); done({ got, open: false }); });
		for (const b of [].concat(bytes)) s.write(b);
	});
}

const hasOpenssl = () => { try { execFileSync("openssl", ["version"]); return true; } catch { return false; } };

export async function protocolTests(program) {
	const server = new Server(program), u = await server.url();
	const get = (where, headers = {}, more = {}) => fetch(u.origin + where, { headers, redirect: "manual", ...more });

	// A client, when all that was opened before is gone, and what it ran.
	const alone = async () => {
		const look = await Client.open(server);
		await look.next((m) => m.t === "runs" && m.clients === 1 && !m.runs.length);
		return look;
	};

	await test("the token lets one browser in, once", async () => {
		assert.equal((await get("/")).status, 401);
		assert.equal((await get("/?token=00000000000000000000000000000000")).status, 401);
		const r = await get(`/${u.search}`);
		assert.equal(r.status, 303);
		assert.match(r.headers.get("set-cookie"), /HttpOnly; SameSite=Strict/);
		server.entry = sessionOf(r);
		assert.match(r.headers.get("location"), /^\/#key=[0-9a-f]{32}$/);
		assert.equal((await get(`/${u.search}`)).status, 401);
		const page = await get("/", { cookie: server.entry.cookie });
		assert.equal(page.status, 200);
		assert.match(await page.text(), /app\.js/);
		const csp = page.headers.get("content-security-policy");
		assert.match(csp, /default-src 'none'/);
		assert.doesNotMatch(csp, /unsafe/);
		assert.equal(server.urls.length, 1, "nobody has asked for another URL");
	});
	await test("Host, Origin, method and path are checked", async () => {
		const cookie = await server.cookie();
		const host = await raw(u, `GET / HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`);
		assert.match(host.got, /^HTTP\/1.1 403/);
		for (const odd of ["127.0.0.1:1; script-src *", "127.0.0.1:x", "[::1]x", "[::1]:1 x", "[::1", "localhost.", "127.1", "", `${u.host}\r\nHost: evil.example`, `evil.example\r\nHost: ${u.host}`])
			assert.match((await raw(u, `GET / HTTP/1.1\r\nHost: ${odd}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)).got, /^HTTP\/1.1 403/, odd);
		// cookies are of the whole machine: others' are among them
		assert.equal((await get("/", { cookie: `a=${"x".repeat(6000)}; ${cookie}; b=1` })).status, 200);
		assert.equal((await get("/etc/passwd", { cookie })).status, 404);
		assert.equal((await get("/../../etc/passwd", { cookie })).status, 404);
		const post = await raw(u, `POST / HTTP/1.1\r\nHost: ${u.host}\r\nCookie: ${cookie}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd`);
		assert.match(post.got, /^HTTP\/1.1 405|^$/);
		await rejects(server, "/ws", { origin: "http://evil.example" });
		await rejects(server, "/ws", { origin: `https://${u.host}` });
		await rejects(server, "/ws", { cookie: "erltrace=1" });
		await rejects(server, "/other", {});
		(await Client.open(server, { headers: { origin: u.origin } })).close();
	});
	await test("start, frames with the right numbers, log, stop", async () => {
		const c = await Client.open(server);
		const hello = await c.wait((m) => m.t === "hello");
		assert.ok(hello.scripts.length >= 3);
		const rows = readFileSync(new URL("../../src/object/aggfn.h", import.meta.url), "utf8").matchAll(/^\tX\([A-Z]+, "(\w+)"/gm);
		assert.deepEqual(
			hello.aggregations.map((a) => a.name),
			[...rows].map((m) => m[1]),
		);
		assert.ok(hello.aggregations.every((a) => a.help && ["sum", "mean", "min", "max"].includes(a.fold)));
		const { run } = await c.ask({ t: "start", script: `${KNOWN} tick-1s { printf("hello %d\\n", ++i); }`, interval: 200 });
		const f1 = await c.wait((m) => m.t === "frame" && m.run === run && m.aggs.length === 3);
		const q = f1.aggs.find((a) => a.name === "q");
		assert.deepEqual(q.bounds[q.elems[0][3][0]], [40, 49]);
		const log = await c.wait((m) => m.t === "log");
		assert.equal(log.lines[0].text, "hello 1\n");
		c.send({ t: "stop", run });
		await c.next((m) => m.t === "runs" && m.runs.some((r) => r.id === run && r.state === "ended"));
		await sleep(100);
		// everything that the page was given, put together
		const state = new Map();
		for (const f of c.got.filter((m) => m.t === "frame" && m.run === run)) for (const a of f.aggs) for (const e of a.elems) state.set(`${a.name} ${e[0].join()}`, e);
		const n = state.get("n a,x")[1];
		assert.ok(n >= 9, `${n} ticks`);
		assert.equal(state.get("n a,y")[1], n);
		assert.equal(state.get("s b")[1], 7 * n);
		assert.deepEqual(state.get("q k")[3].slice(1), [n]);
		await c.close();
	});
	await test("exit() ends it with the last state, whole", async () => {
		const c = await Client.open(server);
		const { run } = await c.ask({ t: "start", script: "BEGIN { @ = count(); exit(3); }" });
		const f = await c.wait((m) => m.t === "frame" && m.run === run);
		assert.equal(f.whole, true);
		assert.equal(f.aggs[0].elems[0][1], 1);
		const r = (await c.next((m) => m.t === "runs" && m.runs.some((x) => x.id === run && x.state === "ended"))).runs.find((x) => x.id === run);
		assert.equal(r.why, "exit(3)");
		await c.close();
	});
	// what needs the kernel is skipped where it does not let us
	const permitted = spawnSync(program, ["-qn", "syscall::getpid:entry { } BEGIN { exit(0); }"], { encoding: "utf8" });
	await test(
		"what a script costs in the kernel is counted",
		async () => {
			const s = new Server(program, ["--kernel"]), c = await Client.open(s);
			const { run } = await c.ask({ t: "start", script: "syscall:::entry { @ = count(); }", interval: 200 });
			const f = await c.next((m) => m.t === "frame" && m.run === run && m.status.nodes[0].overhead > 0);
			const [n] = f.status.nodes;
			assert.ok(n.overhead < 100 * cpus().length, `${n.overhead} %`);
			assert.equal(n.limit, 0);
			// a program that has next to nothing to do costs next to nothing
			const idle = await c.ask({ t: "start", script: "#pragma D option engine=kernel\ntick-100ms { @t = count(); }", interval: 200 });
			for (let i = 0; i < 3; i++) {
				const m = await c.next((x) => x.t === "frame" && x.run === idle.run && x.status.nodes[0].overhead !== null);
				assert.ok(m.status.nodes[0].overhead < 0.5, `${m.status.nodes[0].overhead} % of nothing`);
			}
			await c.close();
			await s.stop();
		},
		permitted.status ? permitted.stderr.trim().split("\n").at(-1) : process.getuid() ? "not as root" : "",
	);
	await test("elements that are removed are removed from whole frames", async () => {
		const c = await Client.open(server);
		const { run } = await c.ask({ t: "start", interval: 100, script: "tick-100ms /++i < 30/ { @a[1] = count(); } tick-100ms /i == 30/ { trunc(@a); } tick-100ms { @b = count(); }" });
		const has = (m) => m.aggs.some((a) => a.name === "a" && a.elems.length);
		const first = await c.wait((m) => m.t === "frame" && m.run === run && has(m));
		// who acknowledges late gets whole frames before that, too
		await c.wait((m) => m.t === "frame" && m.run === run && m.whole && m.seq > first.seq && !has(m));
		await c.close();
	});
	await test("errors come with their place", async () => {
		const c = await Client.open(server);
		const m = await c.ask({ t: "check", script: "BEGIN\n{\n\tx = nosuch;\n}\n" });
		assert.equal(m.ok, false);
		assert.deepEqual([m.diag.line, m.diag.col, m.diag.len], [3, 6, 6]);
		assert.equal((await c.ask({ t: "check", script: KNOWN })).ok, true);
		const { run } = await c.ask({ t: "start", script: "BEGIN { nonsense" });
		const failed = await c.next((x) => x.t === "runs" && x.runs.some((r) => r.id === run && r.state === "failed"));
		assert.equal(failed.runs.find((r) => r.id === run).diag.line, 1);
		await c.close();
	});
	await test("no destructive actions, files or huge sizes", async () => {
		const c = await Client.open(server);
		for (const [script, why] of [['BEGIN { system("touch /tmp/erltrace-page-was-here"); }', /destructive/i], ['#pragma D option destructive\nBEGIN { system("true"); }', /destructive/i], ['BEGIN { freopen("/tmp/erltrace-page-was-here"); }', /cannot name files/], ['BEGIN { ftruncate(); }', /cannot name files/],
			["#pragma D option libdir=/tmp\nBEGIN { trace(1); }", /name files/], ["#pragma D option incdir=/etc\nBEGIN { trace(1); }", /name files/], ['#include "/etc/passwd"\nBEGIN { trace(1); }', /./], ["#pragma D option bufsize=100g\nBEGIN { trace(1); }", /too large/]]) {
			const m = await c.ask({ t: "start", script });
			assert.equal(m.t, "started");
			const r = (await c.next((x) => x.t === "runs" && x.runs.some((y) => y.id === m.run && y.state === "failed"))).runs.find((y) => y.id === m.run);
			assert.match(r.why, why, script);
			c.send({ t: "unwatch", run: m.run });
		}
		const m = await c.ask({ t: "start", script: "BEGIN { trace(1); }", options: { libdir: "/tmp" } });
		const r = (await c.next((x) => x.t === "runs" && x.runs.some((y) => y.id === m.run && y.state === "failed"))).runs.find((y) => y.id === m.run);
		assert.match(r.why, /option/);
		assert.equal((await c.ask({ t: "start", script: "BEGIN { trace(1); }", node: "other@host" })).t, "error");
		await c.close();
	});
	await test("with -w destructive actions run, but no script names files", async () => {
		const dir = scratch(), s = new Server(program, ["-w"]), c = await Client.open(s);
		assert.equal((await c.wait((m) => m.t === "hello")).destructive, true);
		await c.ask({ t: "start", script: `BEGIN { system("touch ${dir}/here"); exit(0); }` });
		await until("the command has run", () => existsSync(`${dir}/here`));
		const { run } = await c.ask({ t: "start", script: `BEGIN { freopen("${dir}/there"); printf("x"); }` });
		const r = (await c.wait((x) => x.t === "runs" && x.runs.some((y) => y.id === run && y.state === "failed"))).runs.find((y) => y.id === run);
		assert.match(r.why, /cannot name files/);
		assert.equal(existsSync(`${dir}/there`), false);
		await c.close();
		assert.deepEqual(await s.stop(), { code: 0, signal: null });
	});
	await test("when the last watcher goes, tracing ends within 2 s; another one keeps it", async () => {
		const a = await Client.open(server), b = await Client.open(server), look = await Client.open(server);
		const { run } = await a.ask({ t: "start", script: KNOWN });
		b.send({ t: "watch", run });
		await b.wait((m) => m.t === "frame" && m.run === run);
		a.ws.terminate();
		await sleep(1500);
		assert.ok((await look.runs()).some((r) => r.id === run && r.state === "running" && r.watchers === 1));
		const at = Date.now();
		b.ws.terminate();
		await look.next((m) => m.t === "runs" && !m.runs.some((r) => r.id === run && /running|stopping/.test(r.state)));
		assert.ok(Date.now() - at < 2000 + GRACE, `${Date.now() - at} ms`);
		await look.close();
	});
	await test("a client that stops answering is gone within 2 s", async () => {
		const a = await Client.open(server), look = await Client.open(server);
		const { run } = await a.ask({ t: "start", script: KNOWN });
		await a.wait((m) => m.t === "frame" && m.run === run);
		const at = Date.now();
		a.ws._socket.pause(); // as if the cable were cut: open, and silent
		await look.next((m) => m.t === "runs" && !m.runs.some((r) => r.id === run && /running|stopping/.test(r.state)));
		assert.ok(Date.now() - at < 2000 + GRACE, `${Date.now() - at} ms`);
		a.ws.terminate();
		await look.close();
	});
	await test("who does not acknowledge gets no queue, and the newest state after", async () => {
		const c = await Client.open(server, { acks: false });
		const { run } = await c.ask({ t: "start", script: KNOWN, interval: 100 }), look = await Client.open(server);
		look.send({ t: "watch", run });
		await look.wait((m) => m.t === "frame" && m.seq > 12);
		const before = c.got.filter((m) => m.t === "frame").length;
		assert.ok(before <= 2, `${before} frames without an ack`);
		c.send({ t: "ack" });
		const f = await c.next((m) => m.t === "frame" && m.run === run);
		assert.equal(f.whole, true);
		assert.ok(f.seq > 12);
		await Promise.all([c.close(), look.close()]);
	});
	await test("who joins later gets what was before, frame by frame", async () => {
		const a = await Client.open(server), b = await Client.open(server), none = await Client.open(server);
		const { run } = await a.ask({ t: "start", script: KNOWN, interval: 100 });
		await a.wait((m) => m.t === "frame" && m.seq >= 70); // more than one whole frame
		b.send({ t: "watch", run });
		none.send({ t: "watch", run, history: false });
		const live = (await a.next((m) => m.t === "frame")).seq;
		await b.wait((m) => m.t === "frame" && m.seq > live);
		const frames = b.got.filter((m) => m.t === "frame"), seqs = frames.map((m) => m.seq);
		assert.deepEqual(seqs.slice(0, 70), Array.from({ length: 70 }, (_, i) => i + 1), "all frames from the first on, in order");
		// from then on it is as any other, which gets the newest state as a whole if it was too slow for each
		frames.slice(70).forEach((m, i) => assert.ok(m.seq === seqs[69 + i] + 1 || (m.seq > seqs[69 + i] && m.whole), `${seqs}`));
		assert.equal(b.got.find((m) => m.t === "frame").whole, true);
		const times = b.got.filter((m) => m.t === "frame").map((m) => m.time);
		assert.deepEqual(times, [...times].sort((x, y) => x - y));
		assert.ok((await none.wait((m) => m.t === "frame")).seq >= 70);
		assert.equal((await none.wait((m) => m.t === "frame")).whole, true);
		await Promise.all([a, b, none].map((c) => c.close()));
	});
	await test("limits: scripts, clients, messages", async () => {
		const c = await alone(); // the script of the test before ends a moment after its watchers
		for (let i = 0; i < 16; i++) assert.equal((await c.ask({ t: "start", script: "tick-1s { @ = count(); }" })).t, "started");
		const over = await c.ask({ t: "start", script: "tick-1s { @ = count(); }" });
		assert.match(over.msg, /too many scripts/);
		await c.close();
		const many = [await alone(), ...(await Promise.all(Array.from({ length: 63 }, () => Client.open(server))))];
		await rejects(server, "/ws", {});
		await Promise.all(many.map((m) => m.close()));
		const big = await Client.open(server);
		big.send("x".repeat(300 << 10));
		await big.closed;
		const odd = await Client.open(server);
		for (const t of ["", "{", "[]", "null", "7", '{"t":7}', '{"t":"nosuch"}', '{"t":"watch","run":-1}', '{"t":"start"}', '{"t":"start","script":7}', `${"[".repeat(3000)}`, '{"t":"start","script":"\\u0000"}', '{"t":"stop","run":99999999999999}'])
			odd.send(t);
		await odd.wait((m) => m.t === "error" && /no such message/.test(m.msg));
		assert.equal((await odd.ask({ t: "check", script: "BEGIN{}" })).t, "checked");
		await odd.close();
	});
	await test("scripts that are over do not keep others from running", async () => {
		const c = await alone();
		for (let i = 0; i < 20; i++) {
			const { run } = await c.ask({ t: "start", script: i % 2 ? "BEGIN { nonsense; }" : "BEGIN { exit(0); }" });
			await c.next((m) => m.t === "runs" && m.runs.some((r) => r.id === run && /ended|failed/.test(r.state)));
		}
		await c.close();
	});
	await test("the plain protocol on /heatmap and /list", async () => {
		const hm = await Client.open(server, { path: "/heatmap" });
		hm.send(KNOWN);
		const from = Date.now();
		const f = await hm.next((m) => m.k);
		assert.deepEqual(Object.keys(f), ["k"]);
		assert.deepEqual(f.k[0][0], [40, 49]);
		for (let i = 0; i < 3; i++) await hm.next((m) => m.k);
		// each tick once: only what is new came each time
		const all = hm.got.reduce((n, m) => n + (m.k?.[0][1] ?? 0), 0), most = (Date.now() - from) / 100 + 2;
		assert.ok(all >= 20 && all <= most, `${all} of ${most}`);
		hm.send("");
		const n = hm.got.length;
		await sleep(1300);
		assert.ok(hm.got.length <= n + 1);
		hm.send("BEGIN { nonsense");
		assert.ok((await hm.next((m) => m.error)).error);
		await hm.close();
		const list = await Client.open(server, { path: "/list" });
		list.send(KNOWN);
		const l = await list.next((m) => m.a);
		assert.equal(l.a.x, l.a.y);
		assert.ok(l.b % 7 === 0 && l.b > 0);
		await list.close();
	});
	await test("keys of every kind arrive as they are", async () => {
		const c = await Client.open(server);
		await c.ask({ t: "start", script: 'BEGIN { @a["<script>alert(1)</script>\\n\\377\\001"] = count(); @b[-5] = count(); @c[18446744073709551615ULL] = count(); @d["", 1] = max(-9223372036854775807); @e[(uint32_t)-1, (int)-1, (uint8_t)-1, (int8_t)-1, (int64_t)-9007199254740993] = count(); }' });
		const f = await c.wait((m) => m.t === "frame");
		const key = (n) => f.aggs.find((a) => a.name === n).elems[0];
		assert.equal(key("a")[0][0], "<script>alert(1)</script>\n\ufffd\u0001");
		assert.equal(key("b")[0][0], -5);
		assert.equal(String(key("c")[0][0]), "18446744073709551615");
		assert.deepEqual(key("e")[0], [4294967295, -1, 255, -1, "-9007199254740993"]);
		assert.deepEqual(key("d").slice(0, 2), [["", 1], "-9223372036854775807"]);
		await c.close();
	});
	await test("rubbish, slow and half-open connections", async () => {
		const slow = Array.from({ length: 20 }, () => raw(u, "GET / HTTP/1.1\r\nHost: x", 9000));
		for (let i = 0; i < 60; i++) await raw(u, randomBytes(1 + (i * 37) % 2000), 20);
		await raw(u, `GET /${"a".repeat(20000)} HTTP/1.1\r\n\r\n`, 200);
		await raw(u, `GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(3000)}\r\n`, 200);
		const hand = `GET /ws HTTP/1.1\r\nHost: ${u.host}\r\nCookie: ${await server.cookie()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
		for (let i = 0; i < 60; i++) await raw(u, [hand, randomBytes(1 + (i * 53) % 500)], 30);
		assert.equal((await get("/", { cookie: await server.cookie() })).status, 200);
		for (const s of await Promise.all(slow)) assert.equal(s.open, false, "a slow request was kept");
		const c = await Client.open(server);
		assert.equal((await c.ask({ t: "check", script: "BEGIN{}" })).ok, true);
		await c.close();
	});
	await test("names of a megabyte are refused with the reason, those that fit are shown whole", async () => {
		const c = await Client.open(server);
		const script = (n) => `BEGIN { this->s = "<b>&\\n\\377x"; ${"this->s = strjoin(this->s, this->s); ".repeat(n)} @long[this->s] = count(); @short["x"] = count(); } BEGIN { printf("%s", this->s); }`;
		const big = await c.ask({ t: "start", options: { strsize: "1100000", bufsize: "1m", aggsize: "16m", scratchsize: "32m" }, script: script(17) });
		const failed = await c.wait((m) => m.t === "runs" && m.runs.some((r) => r.id === big.run && r.state === "failed"));
		assert.match(failed.runs.find((r) => r.id === big.run).why, /exceeds size of buffer/);
		const { run } = await c.ask({ t: "start", interval: 200, options: { strsize: "60000", scratchsize: "2m" }, script: script(13) });
		const f = await c.wait((m) => m.t === "frame" && m.run === run && m.aggs.length === 2);
		const [long, short] = ["long", "short"].map((n) => f.aggs.find((a) => a.name === n).elems[0]);
		assert.equal(long[0][0], "<b>&\n\ufffdx".repeat(8192).slice(0, long[0][0].length));
		assert.ok(long[0][0].length > 55000);
		assert.deepEqual(short.slice(0, 2), [["x"], 1]);
		const log = await c.wait((m) => m.t === "log" && m.run === run);
		assert.ok(log.lines[0].text.startsWith("<b>&\n\ufffdx<b>&"));
		assert.ok(log.lines[0].text.length <= 16 << 10);
		await c.close();
		const name = await Client.open(server);
		name.send({ t: "start", name: "x".repeat(1 << 20), script: "BEGIN{}" });
		await name.closed; // a message has at most 256 kB
	});
	await test("two hundred connections that dawdle do not keep others out", async () => {
		const cookie = await server.cookie();
		const slow = Array.from({ length: 200 }, () => {
			const s = net.connect(u.port, u.hostname);
			s.on("error", () => {});
			s.write("GET / HTTP/1.1\r\n");
			s.trickle = setInterval(() => s.write("X-A: b\r\n"), 500);
			s.on("close", () => { s.gone = true; clearInterval(s.trickle); });
			return s;
		});
		const from = Date.now();
		await until("somebody else is served", () => get("/", { cookie }).then((r) => r.status === 200, () => false));
		console.log(`      served after ${Date.now() - from} ms`);
		await until("all of them are dropped", () => slow.every((s) => s.gone));
		console.log(`      all dropped after ${Date.now() - from} ms`);
		assert.ok(Date.now() - from < 20000 + GRACE);
		const c = await Client.open(server);
		assert.equal((await c.ask({ t: "check", script: "BEGIN{}" })).ok, true);
		await c.close();
	});
	await test("a websocket that opens and stays silent, or dawdles, is closed", async () => {
		const hand = `GET /ws HTTP/1.1\r\nHost: ${u.host}\r\nCookie: ${await server.cookie()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
		// nothing; the beginning of a long frame; a frame that is not masked; a pong that nobody asked for, alone
		for (const more of [[], [Buffer.from([0x81, 0xfe, 0x10])], [Buffer.from([0x01, 0x05, 0x68])], [Buffer.from([0x8a, 0x80, 0, 0, 0, 0])]]) {
			const r = await raw(u, [hand, ...more], 3000 + GRACE);
			assert.match(r.got, /^HTTP\/1.1 101/);
			assert.equal(r.open, false);
		}
	});
	await test("TLS: https and wss, with cookies that never go without it", async () => {
		const dir = scratch(), cert = `${dir}/cert.pem`, key = `${dir}/key.pem`;
		execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert], { stdio: "ignore" });
		const s = new Server(program, ["--listen", "127.0.0.1", "--tls-cert", cert, "--tls-key", key]), at = await s.url();
		s.ca = readFileSync(cert);
		assert.equal(at.protocol, "https:");
		const answer = (path, headers = {}) => new Promise((done, no) => https.get(`${at.origin}${path}`, { ca: s.ca, headers }, (r) => { r.resume(); done(r); }).on("error", no));
		const first = await answer(`/${at.search}`);
		assert.match(first.headers["set-cookie"][0], /; Secure/);
		s.entry = { cookie: first.headers["set-cookie"][0].split(";")[0], key: keyOf(first.headers.location) };
		const page = await answer("/", { cookie: s.entry.cookie });
		assert.equal(page.statusCode, 200);
		assert.match(page.headers["content-security-policy"], /connect-src 'self' wss:/);
		const c = await Client.open(s, { headers: { origin: at.origin } });
		const { run } = await c.ask({ t: "start", script: KNOWN, interval: 100 });
		await c.wait((m) => m.t === "frame" && m.run === run && m.seq > 2);
		await c.close();
		await rejects(s, "/ws", { origin: `http://${at.host}` });
		assert.doesNotMatch((await raw(at, `GET / HTTP/1.1\r\nHost: ${at.host}\r\nCookie: ${s.entry.cookie}\r\n\r\n`)).got, /^HTTP\/1.1 200/);
		assert.deepEqual(await s.stop(), { code: 0, signal: null });
		const bad = new Server(program, ["--listen", "127.0.0.1", "--tls-cert", key, "--tls-key", cert]);
		assert.equal((await bad.ended).code, 1);
		assert.match(bad.err, /TLS files/);
	}, hasOpenssl() ? undefined : "openssl is not installed");
	await test("64 clients at 10 frames a second; memory stays", async () => {
		const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]);
		const cpu = () => readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(" ").slice(13, 15).reduce((a, b) => a + Number(b), 0) / 100;
		const all = [await alone(), ...(await Promise.all(Array.from({ length: 63 }, () => Client.open(server))))];
		const { run } = await all[0].ask({ t: "start", script: KNOWN, interval: 100 });
		for (const c of all.slice(1)) c.send({ t: "watch", run });
		for (const c of all) c.count = 0, c.ws.on("message", (d) => { if (d.toString().startsWith('{"t":"frame"')) c.count++; c.got.length = 0; });
		await sleep(1500);
		const seconds = Number(process.env.LONG || 5), m0 = rss(), c0 = cpu();
		for (const c of all) c.count = 0;
		await sleep(seconds * 1000);
		const rates = all.map((c) => c.count / seconds), m1 = rss();
		console.log(`      ${Math.min(...rates).toFixed(1)} … ${Math.max(...rates).toFixed(1)} frames/s, ${((cpu() - c0) / seconds * 100).toFixed(0)} % CPU, ${m0} → ${m1} kB`);
		assert.ok(Math.min(...rates) > (process.env.STRICT ? 9 : 2)); // less only where the machine has no time for it
		assert.ok(m1 - m0 < 4096 || process.env.SAN, "memory grows"); // sanitizers keep what was freed
		await Promise.all(all.map((c) => c.close()));
	});
	await test("it ends cleanly, and with its standard input", async () => {
		assert.deepEqual(await server.stop(), { code: 0, signal: null });
		assert.equal(server.err, "");
		const other = new Server(program, ["--with-stdin"]);
		const c = await Client.open(other);
		await c.ask({ t: "start", script: KNOWN });
		other.child.stdin.end();
		assert.deepEqual(await other.ended, { code: 0, signal: null });
	});
	await test("an address that others can reach needs TLS or a word", async () => {
		const s = new Server(program, ["--listen", "0.0.0.0"]);
		assert.equal((await s.ended).code, 2);
		assert.match(s.err, /--insecure/);
		const t = new Server(program, ["--listen", "0.0.0.0", "--insecure"]);
		await t.url();
		await t.stop();
	});
}
