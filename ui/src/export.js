// What is shown, as files.
import { download } from "./dom.js";
import { frames } from "./flametree.js";

const cell = (v) => (/[",\n\r]/.test(String(v)) ? `"${String(v).replace(/"/g, '""')}"` : String(v));
// A spreadsheet must not take a key for a formula.
const safe = (v) => (typeof v === "string" && /^[=+\-@\t\r]/.test(v) ? `'${v}` : v);

export function csv(agg) {
	const rows = [];
	if (agg.isDistribution) {
		rows.push(["time", "key", "low", "high", "count"]);
		for (const col of agg.columns)
			for (let r = 0; col.at && r < col.keys.length; r++)
				for (let i = col.at[r]; i < col.at[r + 1]; i++) {
					const [low, high] = agg.bounds[col.b[i]];
					rows.push([new Date(col.time).toISOString(), safe(agg.elems[col.keys[r]].text), low ?? "", high ?? "", col.n[i]]);
				}
	} else {
		const n = Math.max(0, ...agg.elems.map((e) => e.parts.length));
		rows.push([...Array.from({ length: n }, (_, i) => `key${i + 1}`), agg.fn, "events"]);
		for (const e of agg.elems) rows.push([...Array.from({ length: n }, (_, i) => safe(e.parts[i] ?? "")), e.value, e.count]);
	}
	return `${rows.map((r) => r.map(cell).join(",")).join("\r\n")}\r\n`;
}

export function json(run) {
	const element = (a, e) => ({
		keys: e.keys,
		value: e.value,
		count: e.count,
		buckets: e.buckets ? [...e.buckets].flatMap((n, i) => (n ? [[...a.bounds[i], n]] : [])) : undefined,
	});
	const agg = (a) => ({
		name: a.name,
		function: a.fn,
		bounds: a.isDistribution ? a.bounds : undefined,
		elements: a.elems.map((e) => element(a, e)),
	});
	return JSON.stringify(
		{ script: run.info?.script, node: run.info?.node ?? null, aggregations: [...run.aggs.values()].map(agg) },
		null,
		1,
	);
}

export function folded(agg) {
	const line = (e) =>
		`${frames(e)
			.map((f) => f.replace(/[;\n]/g, ","))
			.join(";")} ${Math.round(agg.weight(e))}`;
	return `${agg.elems
		.filter((e) => agg.weight(e) > 0)
		.map(line)
		.join("\n")}\n`;
}

export function speedscope(agg, name) {
	const at = new Map(),
		list = [],
		samples = [],
		weights = [];
	for (const e of agg.elems) {
		if (!(agg.weight(e) > 0)) continue;
		samples.push(
			frames(e).map((f) => {
				if (!at.has(f)) at.set(f, list.push({ name: f }) - 1);
				return at.get(f);
			}),
		);
		weights.push(agg.weight(e));
	}
	return JSON.stringify({
		$schema: "https://www.speedscope.app/file-format-schema.json",
		shared: { frames: list },
		profiles: [{ type: "sampled", name, unit: "none", startValue: 0, endValue: weights.reduce((a, b) => a + b, 0), samples, weights }],
		name,
		exporter: "erltrace",
	});
}

const text = (svg) => new XMLSerializer().serializeToString(svg);

// Drawn twice as large, for paper.
async function png(picture) {
	const img = new Image();
	await new Promise((done, failed) => {
		img.onload = done;
		img.onerror = () => failed(new Error("the browser could not draw the picture"));
		img.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(picture))}`;
	});
	const c = document.createElement("canvas");
	c.width = img.width * 2;
	c.height = img.height * 2;
	c.getContext("2d").drawImage(img, 0, 0, c.width, c.height);
	return new Promise((done) => c.toBlob(done));
}

export async function exportAs(kind, app) {
	const view = app.view,
		agg = view?.agg?.() || app.agg(() => true),
		run = app.run;
	if (!run || (!agg && !["json", "svg", "png"].includes(kind))) throw new Error("there is nothing to export yet");
	const name = `erltrace-${app.route}-${new Date().toISOString().slice(0, 19).replace(/:/g, "")}`;
	if (kind === "csv") return download(`${name}.csv`, "text/csv", csv(agg));
	if (kind === "json") return download(`${name}.json`, "application/json", json(run));
	if (kind === "folded") return download(`${name}.folded`, "text/plain", folded(agg));
	if (kind === "speedscope") return download(`${name}.speedscope.json`, "application/json", speedscope(agg, agg.label));
	const picture = view?.toSvg?.();
	if (!picture) throw new Error("there is no picture here yet");
	if (kind === "svg") return download(`${name}.svg`, "image/svg+xml", text(picture));
	return download(`${name}.png`, "image/png", await png(picture));
}
