// What is shown, as files.
import { download } from "./dom.js";
import { frames } from "./flame.js";

const cell = (v) => (/[",\n\r]/.test(String(v)) ? `"${String(v).replace(/"/g, '""')}"` : String(v));
// A spreadsheet must not take a key for a formula.
const safe = (v) => (typeof v === "string" && /^[=+\-@\t\r]/.test(v) ? `'${v}` : v);

export function csv(agg) {
	const rows = [];
	if (agg.isDistribution) {
		rows.push(["time", "key", "low", "high", "count"]);
		for (const col of agg.columns)
			if (col.k) for (let i = 0; i < col.k.length; i++) rows.push([new Date(col.time).toISOString(), safe(agg.elems[col.k[i]].text), agg.bounds[col.b[i]][0] ?? "", agg.bounds[col.b[i]][1] ?? "", col.n[i]]);
	} else {
		const n = Math.max(0, ...agg.elems.map((e) => e.parts.length));
		rows.push([...Array.from({ length: n }, (_, i) => `key${i + 1}`), agg.fn, "events"]);
		for (const e of agg.elems) rows.push([...Array.from({ length: n }, (_, i) => safe(e.parts[i] ?? "")), e.value, e.count]);
	}
	return `${rows.map((r) => r.map(cell).join(",")).join("\r\n")}\r\n`;
}

export function json(run) {
	return JSON.stringify({ script: run.info?.script, node: run.info?.node ?? null, aggregations: [...run.aggs.values()].map((a) => ({ name: a.name, function: a.fn, bounds: a.isDistribution ? a.bounds : undefined,
		elements: a.elems.map((e) => ({ keys: e.keys, value: e.value, count: e.count, buckets: e.buckets ? [...e.buckets].flatMap((n, i) => (n ? [[...a.bounds[i], n]] : [])) : undefined })) })) }, null, 1);
}

export const folded = (agg) => agg.elems.filter((e) => e.value > 0).map((e) => `${frames(e).map((f) => f.replace(/[;\n]/g, ",")).join(";")} ${Math.round(e.value)}`).join("\n") + "\n";

export function speedscope(agg, name) {
	const at = new Map(), list = [], samples = [], weights = [];
	for (const e of agg.elems) {
		if (!(e.value > 0)) continue;
		samples.push(frames(e).map((f) => {
			if (!at.has(f)) at.set(f, list.push({ name: f }) - 1);
			return at.get(f);
		}));
		weights.push(e.value);
	}
	return JSON.stringify({ $schema: "https://www.speedscope.app/file-format-schema.json", shared: { frames: list }, profiles: [{ type: "sampled", name, unit: "none", startValue: 0, endValue: weights.reduce((a, b) => a + b, 0), samples, weights }], exporter: "erltrace" });
}

const text = (svg) => new XMLSerializer().serializeToString(svg);

export async function exportAs(kind, app) {
	const view = app.view, agg = view.agg?.() || app.agg(() => true), run = app.run;
	if (!run || (!agg && kind !== "json")) return app.say("there is nothing to export yet");
	const name = `erltrace-${app.route}-${new Date().toISOString().slice(0, 19).replace(/:/g, "")}`;
	if (kind === "csv") download(`${name}.csv`, "text/csv", csv(agg));
	else if (kind === "json") download(`${name}.json`, "application/json", json(run));
	else if (kind === "folded") download(`${name}.folded`, "text/plain", folded(agg));
	else if (kind === "speedscope") download(`${name}.speedscope.json`, "application/json", speedscope(agg, agg.label));
	else if (kind === "svg") {
		const s = view.toSvg?.();
		if (!s) return app.say("this view has no picture; heatmap and flame have");
		download(`${name}.svg`, "image/svg+xml", text(s));
	} else if (kind === "png") {
		if (view.canvas) return view.canvas.toBlob((b) => download(`${name}.png`, "image/png", b));
		const s = view.toSvg?.();
		if (!s) return app.say("this view has no picture; heatmap and flame have");
		const img = new Image();
		img.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(s))}`;
		await img.decode();
		const c = document.createElement("canvas");
		c.width = img.width * 2;
		c.height = img.height * 2;
		c.getContext("2d").drawImage(img, 0, 0, c.width, c.height);
		c.toBlob((b) => download(`${name}.png`, "image/png", b));
	}
}
