// Parts of the page that need no browser: units, scales, axes, stacks, storage.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { guess, measure, range } from "../../ui/src/units.js";
import { heat, scale, HUES } from "../../ui/src/colour.js";
import { Axis, timeStep } from "../../ui/src/axis.js";
import { Run, percentile } from "../../ui/src/store.js";
import { frames, tree, layout, matching } from "../../ui/src/flametree.js";

const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);

// How colours look without one kind of cone: Viénot, Brettel and Mollon 1999, in linear light.
const BLIND = {
	protan: [
		[0.11238, 0.88762, 0],
		[0.11238, 0.88762, 0],
		[0.00401, -0.00401, 1],
	],
	deutan: [
		[0.29275, 0.70725, 0],
		[0.29275, 0.70725, 0],
		[-0.02234, 0.02234, 1],
	],
};
const gamma = (v) => 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.max(0, v) ** (1 / 2.4) - 0.055);
const seen = (kind, c) => BLIND[kind].map((row) => Math.min(255, Math.max(0, gamma(row.reduce((s, k, i) => s + k * linear(c[i]), 0)))));

const frame = (seq, aggs, more = {}) => ({ seq, whole: seq === 1, time: seq * 1000, span: 1, status: {}, aggs, ...more });
const agg = (elems, fn = "count", bounds) => ({ id: 0, name: "a", fn, bounds, elems });

export default async function () {
	await test("units are guessed from what a script does, and numbers shown in them", () => {
		const of = (script, name = "q", fn = "quantize", keys = []) => guess({ name, fn, elems: keys.map((text) => ({ text })) }, script);
		assert.equal(of("x { @q = quantize(timestamp - self->t); }"), "ns");
		assert.equal(of("x { @q[probefunc] = quantize((timestamp - t[arg0]) / 1000); }"), "us");
		assert.equal(of("x { this->d = (vtimestamp - self->t) / 1000000; @q = quantize(this->d); }"), "ms");
		assert.equal(of("x { this->d = timestamp - self->t; @q = quantize(this->d / 1000); }"), "us");
		assert.equal(of('x { @q["a, b"] = llquantize(this->us, 10, 0, 5, 20); }', "q", "llquantize"), "us");
		assert.equal(of("x { @q = quantize(args[0]->b_bytes); }"), "B");
		assert.equal(of("/* timestamp */ x { @q = quantize(arg0); }"), "");
		assert.equal(of("x { @q = quantize(arg0); }", "q", "quantize", ["sent to scheduled, us"]), "us");
		assert.equal(of("x { @q_ns = count(); }", "q_ns", "count"), "");
		assert.equal(of("x { @ = quantize(timestamp - self->t); }", ""), "ns");
		assert.deepEqual(
			[
				[1500, "us"],
				[999, "ns"],
				[1e9, "ns"],
				[0, "us"],
				[2048, "B"],
				[1234567, ""],
				[90, "s"],
			].map(([v, u]) => measure(v, u)),
			["1.5 ms", "999 ns", "1 s", "0", "2 KiB", "1.23 M", "1.5 min"],
		);
		assert.deepEqual(
			[range([10, 14], "us"), range([null, 0], ""), range([1000, null], "ms"), range([7, 7], "")],
			["10 µs – 15 µs", "≤ 0", "≥ 1 s", "7"],
		);
	});
	await test("colours: even in lightness, also without red or green, and one event is seen", () => {
		for (const [dark, ground] of [
			[false, [255, 255, 255]],
			[true, [23, 29, 38]],
		]) {
			assert.ok(contrast(heat(0, dark), ground) >= 2, "a single event is lost on the ground");
			for (const kind of [null, "protan", "deutan"]) {
				const line = Array.from({ length: 17 }, (_, i) => luminance(kind ? seen(kind, heat(i / 16, dark)) : heat(i / 16, dark)));
				for (let i = 1; i < line.length; i++)
					assert.ok(dark ? line[i] > line[i - 1] : line[i] < line[i - 1], `${kind} ${dark} step ${i}: ${line[i - 1]} ${line[i]}`);
			}
		}
		for (const kind of ["protan", "deutan"])
			for (const [i, a] of HUES.entries())
				for (const b of HUES.slice(i + 1)) {
					const [x, y] = [seen(kind, a), seen(kind, b)];
					assert.ok(Math.hypot(...x.map((v, j) => v - y[j])) > 20, `${kind}: ${a} and ${b} look the same`);
				}
	});
	await test("the four scales of colour", () => {
		const counts = [1, 1, 4, 100];
		const at = (kind) => [1, 4, 100].map((n) => +scale(kind, counts).of(n).toFixed(3));
		assert.deepEqual(
			[at("linear"), at("sqrt"), at("log"), at("rank")],
			[
				[0.01, 0.04, 1],
				[0.1, 0.2, 1],
				[0, 0.301, 1],
				[0, 0.5, 1],
			],
		);
		for (const kind of ["linear", "sqrt", "log", "rank"]) assert.ok(Math.abs(scale(kind, counts).back(1) - 100) < 1e-9);
		assert.equal(scale("log", [1]).of(1), 1);
	});
	await test("the value axis: linear, log, open ends, round marks", () => {
		const b = [
			[null, 9],
			[10, 99],
			[100, 999],
			[1000, null],
		];
		const lin = new Axis(
			[
				[0, 9],
				[10, 99],
				[100, 199],
			],
			0,
			2,
			"linear",
			0,
			200,
		);
		assert.deepEqual(
			lin.edge.map((y) => Math.round(y)),
			[200, 190, 100, 0],
		);
		assert.deepEqual(
			lin.marks("").map(([, t]) => t),
			["0", "50", "100", "150", "200"],
		);
		const log = new Axis(b, 0, 3, "log", 0, 232);
		assert.deepEqual(
			log.edge.map((y) => Math.round(y)),
			[232, 216, 118, 16, 0],
		);
		assert.deepEqual([log.bucket(225), log.bucket(200), log.bucket(50), log.bucket(3)], [0, 1, 2, 3]);
		assert.deepEqual(
			log.marks("us").map(([, t]) => t),
			["≤ 9 µs", "20 µs", "50 µs", "100 µs", "200 µs", "500 µs", "≥ 1 ms"],
		);
		const signed = new Axis(
			[
				[-8, -5],
				[-4, -1],
				[0, 0],
				[1, 3],
			],
			0,
			3,
			"log",
			0,
			100,
		);
		for (let i = 1; i < signed.edge.length; i++) assert.ok(signed.edge[i] < signed.edge[i - 1]);
		assert.deepEqual([timeStep(125), timeStep(1000 / 64), timeStep(60000)], [15000, 2000, 3600000]);
	});
	await test("columns hold what was added, through clears, gaps and whole frames", () => {
		const r = new Run(1),
			q = [
				[0, 9],
				[10, 19],
			];
		r.frame(frame(1, [agg([[["a"], 2, 2, [0, 2]]], "lquantize", q)]));
		r.frame(
			frame(2, [
				agg(
					[
						[["a"], 5, 5, [0, 2, 1, 3]],
						[["b"], 1, 1, [1, 1]],
					],
					"lquantize",
				),
			]),
		);
		r.frame(frame(3, []));
		r.frame(frame(4, [agg([[["a"], 1, 1, [0, 1]]], "lquantize")])); // cleared
		r.frame(frame(5, [agg([[["b"], 3, 3, [1, 3]]], "lquantize")], { whole: true })); // a is gone
		const a = r.aggs.get(0);
		assert.deepEqual(
			a.columns.map((c) => [...c.merged]),
			[
				[2, 0],
				[0, 4],
				[0, 0],
				[1, 0],
				[0, 2],
			],
		);
		assert.deepEqual([...a.buckets(0, 4)], [3, 6]);
		assert.deepEqual([...a.buckets(0, 4, 0)], [3, 3]);
		assert.deepEqual(
			a.share(0, 4).map(([e, n]) => [e.text, n]),
			[
				["a", 6],
				["b", 3],
			],
		);
		assert.deepEqual(
			a.share(1, 4, 1, 1).map(([e, n]) => [e.text, n]),
			[
				["a", 3],
				["b", 3],
			],
		);
		assert.deepEqual([...a.owners(0, 4)], [0, 0]);
		assert.deepEqual(
			a.elems.map((e) => e.count),
			[0, 3],
		);
		assert.deepEqual([a.low, a.high], [0, 1]);
		const old = a.columns.length;
		r.frame(frame(2000, []));
		assert.equal(a.columns.length, old + 1 - 5, "older than 30 minutes");
	});
	await test("a page that joins late shows only what comes after", () => {
		const r = new Run(1, true);
		r.frame(frame(7, [agg([[["a"], 100, 100]])], { whole: true }));
		r.frame(frame(8, [agg([[["a"], 103, 103]])]));
		assert.deepEqual(
			r.aggs.get(0).columns.map((c) => c.total),
			[3],
		);
		assert.equal(r.aggs.get(0).elems[0].value, 103);
	});
	await test("percentiles of buckets", () => {
		const b = Array(100).fill(1);
		assert.deepEqual(
			[0.5, 0.9, 0.99, 0.999, 1].map((p) => percentile(b, p)),
			[49, 89, 98, 99, 99],
		);
		assert.deepEqual([percentile([0, 0], 0.5), percentile([0, 5, 0], 1)], [-1, 1]);
	});
	await test("stacks of every kind become frames, and differences shares", () => {
		const f = (...keys) => frames({ keys, parts: keys.map(String) });
		assert.deepEqual(f({ stack: ["in", "mid", "out"] }), ["out", "mid", "in"]);
		assert.deepEqual(f("main;a;b"), ["main", "a", "b"]);
		assert.deepEqual(f("\n  in\n  out\n"), ["out", "in"]);
		assert.deepEqual(f("x", 5, { stack: ["b", "a"] }), ["x", "5", "a", "b"]);
		assert.deepEqual(f(), ["(no key)"]);
		const r = new Run(1),
			put = (seq, a, b) =>
				r.frame(
					frame(seq, [
						agg([
							[["m;a"], a, a],
							[["m;b"], b, b],
						]),
					]),
				);
		put(1, 10, 0);
		put(2, 20, 30);
		const a = r.aggs.get(0),
			t = tree(a, [2000, 2000], [1000, 1000]),
			m = t.kids.get("m");
		assert.deepEqual([t.now, t.before, m.kids.get("a").now, m.kids.get("a").before, m.kids.get("b").before], [40, 10, 10, 10, 0]);
		const boxes = layout(t, [], 800, 0.5, true).map((b) => [b.node.name, Math.round(b.x), Math.round(b.w), b.row]);
		assert.deepEqual(boxes, [
			["all", 0, 800, 0],
			["m", 0, 800, 1],
			["a", 0, 500, 2],
			["b", 500, 300, 2],
		]);
		assert.equal(
			matching(tree(a, null, null), (n) => n !== "all"),
			50,
		);
	});
}
