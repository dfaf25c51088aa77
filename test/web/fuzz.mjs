// Random input to a live server: changed HTTP requests, websocket frames and messages. FUZZ_SECONDS: how long (4); SEED: to have it again.
import assert from "node:assert/strict";
import net from "node:net";
import { Server, Client, test, until, PATIENCE } from "./lib.mjs";

function random(seed) { // xorshift
	let x = seed | 0 || 1;
	const next = () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return x >>> 0; };
	return { n: (most) => next() % most, of: (list) => list[next() % list.length], yes: (one) => next() % one === 0 };
}

const MESSAGES = ['{"t":"start","req":1,"script":"tick-10ms { @[i++ % 5] = quantize(i); printf(\\"%d\\", i); }","interval":100,"options":{"strsize":"64"}}', '{"t":"start","req":1,"script":"BEGIN { @ = count(); exit(0); }","name":"x"}',
	'{"t":"start","nodes":["a"],"merged":true,"script":"BEGIN{}"}', '{"t":"watch","req":2,"run":1,"history":false}', '{"t":"watch","run":2}', '{"t":"unwatch","run":1}', '{"t":"stop","run":1}', '{"t":"check","req":4,"script":"BEGIN { x = nosuch; }"}',
	'{"t":"probes","req":5,"desc":"profile:::"}', '{"t":"nodes","req":6}', '{"t":"ack"}', '{"t":"ack","run":18446744073709551616}'];
const WORDS = ['"t"', '"run"', "null", "-1", "1e999", '"\\u0000"', "[[[[", "}}}}", "\xff\xfe", "\r\n", "\r\n\r\n", "Host: ", "Cookie: ", "Content-Length: 99999999999", "Transfer-Encoding: chunked\r\n", "Upgrade: websocket\r\n", "HTTP/1.1", "GET ", "?token=", "%00", "../", "9".repeat(400)];

function change(r, text) {
	let b = Buffer.from(text, "latin1");
	for (let k = r.n(6); k > 0; k--) {
		const at = r.n(b.length + 1), len = r.n(12);
		switch (r.n(5)) {
		case 0: if (b.length) { b = Buffer.from(b); b[at % b.length] = r.n(256); } break;
		case 1: b = Buffer.concat([b.subarray(0, at), b.subarray(at + len)]); break;
		case 2: b = Buffer.concat([b.subarray(0, at), Buffer.from(r.of(WORDS), "latin1"), b.subarray(at)]); break;
		case 3: b = Buffer.concat([b.subarray(0, at + len), b.subarray(at)]); break;
		case 4: b = b.subarray(0, r.yes(8) ? at : b.length); break;
		}
	}
	return b;
}

// A frame as a browser makes it, or nearly so.
function frame(r, payload, odd) {
	const n = payload.length, mask = Buffer.from([r.n(256), r.n(256), r.n(256), r.n(256)]);
	let head = n < 126 ? Buffer.from([0x81, 0x80 | n]) : n < 65536 ? Buffer.from([0x81, 0xfe, n >> 8, n & 255]) : Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0]), Buffer.from([n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255])]);
	if (odd) head[r.n(head.length)] = r.n(256);
	return Buffer.concat([head, mask, payload.map((x, i) => x ^ mask[i & 3])]);
}

async function one(r, u, { cookie, key }) {
	const s = net.connect(u.port, u.hostname), request = (path) => `GET ${path} HTTP/1.1\r\nHost: ${u.host}\r\nCookie: ${cookie}\r\nAccept-Encoding: gzip\r\n\r\n`;
	const upgrade = (path) => request(path).replace("\r\n\r\n", `\r\nOrigin: ${u.origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
	const gone = new Promise((done) => { s.on("close", done); s.on("error", () => {}); setTimeout(() => s.destroy(), 20 + r.n(150)); });
	s.on("data", () => {});
	if (r.n(3) === 0) s.write(change(r, r.of([request("/"), request("/app.js"), request("/?token=x"), request("/heatmap") + request("/list"), upgrade("/ws"), "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"])));
	else {
		const plain = r.n(4) === 0;
		s.write(upgrade(plain ? r.of(["/heatmap", "/list"]) : "/ws"));
		const enter = `{"t":"enter","key":"${key}"}`;
		s.write(frame(r, r.yes(8) ? change(r, enter) : Buffer.from(enter), false));
		for (let k = 1 + r.n(6); k > 0; k--) {
			const f = frame(r, change(r, plain ? "tick-10ms { @[1] = lquantize(5, 0, 10, 1); @b = count(); }" : r.of(MESSAGES)), r.yes(3)), cut = r.n(f.length + 1);
			if (r.yes(3)) { s.write(f.subarray(0, cut)); await new Promise((go) => setTimeout(go, r.n(10))); s.write(f.subarray(cut)); }
			else s.write(f);
		}
		if (r.yes(4)) s.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
	}
	if (r.yes(3)) s.end();
	await gone;
}

// How many connections there were.
export async function shake(server, u, session, seed, seconds) {
	const until = Date.now() + seconds * 1000;
	let n = 0;
	await Promise.all(Array.from({ length: 24 }, async (_, i) => {
		const r = random(seed * 31 + i);
		while (Date.now() < until && server.child.exitCode === null && !server.child.signalCode) { await one(r, u, session); n++; }
	}));
	return n;
}

export async function fuzzTests(program) {
	const seconds = Number(process.env.FUZZ_SECONDS || 4), seed = Number(process.env.SEED || Date.now() % 1e9);
	await test(`random HTTP and websocket input for ${seconds} s`, async () => {
		const server = new Server(program), u = await server.url(), session = await server.session();
		const n = await shake(server, u, session, seed, seconds);
		console.log(`      seed ${seed}: ${n} connections`);
		assert.equal(server.err, "", "the server complains");
		// it may still be busy with those that are gone
		let c, last;
		const isAlone = (m) => { if (m.t === "runs") last = m; return m.t === "runs" && m.clients === 1 && !m.runs.length; };
		await until("only one is left", async () => {
			try {
				c = await Client.open(server);
				await c.next(isAlone, 5000);
				return true;
			} catch {
				c?.ws.terminate();
				return false;
			}
		}, 2 * PATIENCE).catch((e) => { throw new Error(`${e.message}: ${JSON.stringify(last)?.slice(0, 600)}`); });
		assert.equal((await c.ask({ t: "check", script: "BEGIN{}" })).ok, true);
		await c.close();
		assert.deepEqual(await server.stop(), { code: 0, signal: null });
		assert.equal(server.err, "");
	});
}
