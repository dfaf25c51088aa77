// Draws a heatmap with a pen: panels of cells with axes, percentiles and a legend. It returns what it shows and where,
// so that the cell under a pointer can be found.
import { clock, tame } from "./dom.js";
import { measure, range } from "./units.js";
import { Axis, timeStep } from "./axis.js";
import { table, scale, hue } from "./colour.js";
import { percentile } from "./store.js";

// Room around the cells. Narrow pictures have no room for the values of percentiles.
export const margins = (w, panels = 1) => ({ left: w < 500 ? 56 : 66, right: w < 500 ? 42 : 92, top: panels > 1 ? 20 : 10, bottom: 24 });
export const LINES = [
	{ p: 0.5, name: "p50", dash: [] },
	{ p: 0.9, name: "p90", dash: [7, 3] },
	{ p: 0.99, name: "p99", dash: [4, 2] },
	{ p: 0.999, name: "p99.9", dash: [2, 2] },
	{ p: 1, name: "max", dash: [1, 3] },
];
const LEAST = 3; // least px of a column; zoomed out further, neighbours are drawn as one

// Which columns are drawn where: slots of `group` neighbours, the newest right.
//   view: { zoom: px of a column, end: time of the last one or null }
export function slots(agg, view, r) {
	const group = view.zoom >= LEAST ? 1 : Math.ceil(LEAST / view.zoom),
		px = group * view.zoom;
	let last = agg.columns.length - 1;
	if (view.end !== null) while (last > 0 && agg.columns[last].time > view.end) last--;
	const out = [];
	for (let x = r.x + r.w - px, to = last; to >= 0 && x > r.x - 0.5; x -= px) {
		const from = Math.max(0, to - group + 1);
		out.push({ from, to, x, w: px });
		to = from - 1;
	}
	out.reverse();
	return { list: out, first: out.length ? out[0].from : 0, last, group };
}

// One panel: the columns of one element (null for all), counted once.
function gather(agg, slotList, key) {
	const cells = slotList.map((s) => agg.buckets(s.from, s.to, key));
	let total = 0;
	for (const b of cells) for (const n of b) total += n;
	return { key, cells, total };
}

//   o: { w, h, dark, css, view, keys: indices of elements or [null], colour, axis, unit, lines: names,
//        hues: element → number, low, high: buckets }
export function plot(pen, agg, o) {
	const m = margins(o.w, o.keys.length),
		r = { x: m.left, w: o.w - m.left - m.right, y: m.top, h: o.h - m.top - m.bottom };
	const shown = slots(agg, o.view, r),
		panels = o.keys.map((key) => gather(agg, shown.list, key)),
		seen = [];
	for (const p of panels) for (const b of p.cells) for (const n of b) if (n) seen.push(n);
	const sc = scale(o.colour, seen),
		colours = table(o.dark);
	const gap = panels.length > 1 ? 16 : 0,
		each = (r.h - gap * (panels.length - 1)) / panels.length;
	const owners = o.hues ? shown.list.map((s) => agg.owners(s.from, s.to)) : null;
	panels.forEach((p, i) => {
		p.r = { ...r, y: r.y + i * (each + gap), h: each };
		p.axis = new Axis(agg.bounds, o.low, o.high, o.axis, p.r.y, p.r.h);
		grid(pen, p, o);
		cells(pen, agg, p, shown, sc, colours, owners, o);
		lines(pen, agg, p, shown, o);
		if (p.key !== null && panels.length > 1) pen.text(p.r.x + 4, p.r.y - 4, tame(agg.elems[p.key].text, 70), o.css.fg, { weight: 600 });
	});
	times(pen, agg, shown, r, o);
	return { panels, shown, scale: sc, colours, r };
}

function grid(pen, p, o) {
	for (const [y, text] of p.axis.marks(o.unit)) {
		pen.rect(p.r.x, Math.round(y), p.r.w, 1, o.css.fg, { alpha: 0.09 });
		pen.text(p.r.x - 8, y + 4, text, o.css.dim, { anchor: "end" });
	}
}

function cells(pen, agg, p, shown, sc, colours, owners, o) {
	shown.list.forEach((s, i) => {
		const b = p.cells[i],
			gap = s.w >= 6 ? 1 : 0;
		for (let j = o.low; j <= o.high; j++) {
			if (!b[j]) continue;
			const t = sc.of(b[j]),
				top = p.axis.upper(j),
				height = p.axis.lower(j) - top;
			const fill = owners ? hue(o.hues.get(owners[i][j]) ?? 99, t, o.dark) : colours[Math.round(t * 255)];
			const title = pen.root && `${clock(agg.columns[s.to].time)}, ${range(agg.bounds[j], o.unit)}: ${b[j]}`;
			pen.rect(s.x, top, Math.max(1, s.w - gap), Math.max(1.5, height - (height > 5 ? gap : 0)), fill, { title });
		}
	});
}

// Steps from column to column, at the upper edge of the bucket that has the percentile.
function lines(pen, agg, p, shown, o) {
	const labels = [];
	for (const { p: part, name, dash } of LINES) {
		if (!o.lines.has(name)) continue;
		const points = [];
		let last = -1;
		shown.list.forEach((s, i) => {
			const j = percentile(p.cells[i], part);
			if (j < 0) return points.push(null);
			const y = p.axis.upper(Math.min(o.high, Math.max(o.low, j)));
			points.push([s.x, y], [s.x + s.w, y]);
			last = j;
		});
		pen.line(points, o.css.panel, 3.6);
		pen.line(points, o.css.line, 1.6, dash);
		if (last >= 0) labels.push([p.axis.upper(Math.min(o.high, Math.max(o.low, last))), name, agg.bounds[last]]);
	}
	// the value of the newest column beside it, without overlaps
	let floor = p.r.y + p.r.h + 12;
	for (const [y, name, [low, high]] of labels) {
		const at = Math.max(p.r.y + 8, Math.min(y + 4, floor - 12));
		floor = at;
		const text = high === null ? `> ${measure(low, o.unit)}` : measure(high + 1, o.unit);
		pen.text(p.r.x + p.r.w + 6, at, o.w < 500 ? name : `${name} ${text}`, o.css.line, { size: 10.5 });
	}
}

function times(pen, agg, shown, r, o) {
	const list = shown.list;
	if (!list.length) return;
	const newest = agg.columns[shown.last],
		n = shown.last - shown.first;
	const ms = n ? (newest.time - agg.columns[shown.first].time) / n : newest.span * 1000;
	const step = timeStep(Math.max(1, ms) / o.view.zoom),
		zone = new Date(newest.time).getTimezoneOffset() * 60000;
	let before = null,
		free = -Infinity;
	for (const s of list) {
		const now = Math.floor((agg.columns[s.to].time - zone) / step);
		if (before !== null && now !== before && s.x + s.w - 28 > free && s.x + s.w + 28 < o.w) {
			const x = s.x + s.w;
			pen.rect(x, r.y + r.h, 1, 4, o.css.dim);
			pen.text(x, r.y + r.h + 16, clock(now * step + zone), o.css.dim, { anchor: "middle" });
			free = x + 36;
		}
		before = now;
	}
}

// The ramp of colours with counts below, w × 30.
export function legend(pen, sc, colours, css, w) {
	const text = (t) => measure(Math.max(1, Math.round(sc.back(t))));
	for (let i = 0; i < w; i++) pen.rect(i, 2, 1.2, 10, colours[Math.round((i / (w - 1)) * 255)]);
	pen.text(0, 24, "1", css.dim, { size: 10.5 });
	pen.text(w / 2, 24, text(0.5), css.dim, { anchor: "middle", size: 10.5 });
	pen.text(w, 24, measure(sc.max), css.dim, { anchor: "end", size: 10.5 });
}
