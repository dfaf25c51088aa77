// What numbers mean. D has no units, but scripts show them: a difference of timestamps is nanoseconds, divided by 1000
// it is microseconds, and people write "us" into names and keys.

const NS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
const TIMES = [
	[60e9, "min"],
	[1e9, "s"],
	[1e6, "ms"],
	[1e3, "µs"],
	[1, "ns"],
];
const SIZES = [
	[2 ** 50, "PiB"],
	[2 ** 40, "TiB"],
	[2 ** 30, "GiB"],
	[2 ** 20, "MiB"],
	[2 ** 10, "KiB"],
	[1, "B"],
];
const COUNTS = [
	[1e18, "E"],
	[1e15, "P"],
	[1e12, "T"],
	[1e9, "G"],
	[1e6, "M"],
	[1e3, "k"],
	[1, ""],
];

export const UNITS = [
	["", "none"],
	["ns", "ns"],
	["us", "µs"],
	["ms", "ms"],
	["s", "s"],
	["B", "bytes"],
];

function by(table, v) {
	const a = Math.abs(v);
	for (const [size, name] of table) if (a >= size * 0.9995 || size === 1) return `${+(v / size).toPrecision(3)}${name ? ` ${name}` : ""}`;
	return String(v);
}

// 1234567 → 1.23 M; of µs: 1.23 s
export function measure(v, unit = "") {
	if (v === null || v === undefined || Number.isNaN(v)) return "";
	if (v === 0) return unit && unit !== "B" ? "0" : `0${unit ? " B" : ""}`;
	if (NS[unit]) return Math.abs(v) * NS[unit] < 1 ? `${+(v * NS[unit]).toPrecision(3)} ns` : by(TIMES, v * NS[unit]);
	if (unit === "B") return by(SIZES, v);
	return Math.abs(v) < 1000 && !Number.isInteger(v) ? String(+v.toPrecision(3)) : by(COUNTS, v);
}

export const percent = (p) => `${+p.toPrecision(p < 1 ? 2 : 3)} %`;

// The bounds of a bucket, both included.
export function range([low, high], unit) {
	if (low === null) return `≤ ${measure(high, unit)}`;
	if (high === null) return `≥ ${measure(low, unit)}`;
	return low === high ? measure(low, unit) : `${measure(low, unit)} – ${measure(high + 1, unit)}`;
}

// Steps for the marks of an axis, in the unit of the values. They are round in the unit that is shown.
export function niceSteps(unit) {
	if (unit === "B") return Array.from({ length: 60 }, (_, i) => 2 ** i);
	const out = [];
	for (let e = 0; e < 19; e++) for (const m of [1, 2, 5]) out.push(m * 10 ** e);
	return out;
}

const NAMED = [
	[/(^|[^a-z])(ns|nsecs?|nanosec(ond)?s?)([^a-z]|$)/i, "ns"],
	[/(^|[^a-z])(us|µs|usecs?|microsec(ond)?s?)([^a-z]|$)/i, "us"],
	[/(^|[^a-z])(ms|msecs?|millis(ec(ond)?s?)?)([^a-z]|$)/i, "ms"],
	[/(^|[^a-z])(sec(ond)?s?)([^a-z]|$)/i, "s"],
	[/(^|[^a-z])(bytes?|sizes?)([^a-z]|$)/i, "B"],
];
const named = (text) => NAMED.find(([re]) => re.test(text))?.[1] ?? null;

// The text from `at` to the comma or bracket that ends it.
function argument(text, at) {
	let depth = 0,
		i = at;
	for (; i < text.length; i++) {
		if ("([".includes(text[i])) depth++;
		else if (")]".includes(text[i]) && depth-- === 0) break;
		else if (text[i] === "," && !depth) break;
	}
	return text.slice(at, i);
}

function ofExpression(expr, script, depth = 0) {
	const over = [...expr.matchAll(/\/\s*(1(?:000)+|1e[369])\b/g)].reduce((f, m) => f * Number(m[1]), 1);
	if (/\b(v|wall)?timestamp\b/.test(expr)) return { 1: "ns", 1e3: "us", 1e6: "ms", 1e9: "s" }[over] ?? null;
	const text = named(expr.replace(/[>\].]/g, " ").replace(/_/g, " "));
	if (text) return text;
	// a variable: finds what was assigned to it
	const v = /^\s*\(?\s*((?:this|self)->)?([A-Za-z_]\w*)/.exec(expr)?.[0]?.replace(/[\s(]/g, "");
	if (!v || depth > 3) return null;
	const set = new RegExp(`(^|[^\\w>])${v.replace(/[-$]/g, "\\$&")}\\s*=([^=][^;]*);`).exec(script);
	const inner = set && !set[2].includes(v) ? ofExpression(set[2], script, depth + 1) : null;
	const units = ["ns", "us", "ms", "s"],
		i = units.indexOf(inner);
	return i < 0 ? inner : (units[i + Math.round(Math.log10(over) / 3)] ?? null);
}

// The unit of an aggregation's values; "" if unknown.
export function guess(agg, script = "") {
	if (agg.fn === "count") return "";
	const plain = script.replace(/\/\*[^]*?\*\//g, " ");
	const at = new RegExp(`@${agg.name === "_" ? "" : agg.name}\\s*(\\[[^;]*\\])?\\s*=\\s*${agg.fn}\\s*\\(`).exec(plain);
	const said = at ? ofExpression(argument(plain, at.index + at[0].length), plain) : null;
	if (said) return said;
	const keys = agg.elems
		.slice(0, 8)
		.map((e) => e.text)
		.join(" ")
		.slice(0, 2000);
	return named(agg.name.replace(/_/g, " ")) ?? named(keys) ?? "";
}
