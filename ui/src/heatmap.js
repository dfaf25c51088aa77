// The heatmap: time to the right, values up, colour by count.
import { h, select, button, short, full, clock, tame, css, sized, svg } from "./dom.js";
import { table, scale, hue } from "./colour.js";
import { percentile } from "./store.js";

const LEFT = 64, RIGHT = 8, TOP = 8, BOTTOM = 22;
const LINES = [[0.5, "p50", []], [0.9, "p90", [6, 3]], [0.99, "p99", [2, 2]], [0.999, "p99.9", [8, 2, 2, 2]], [1, "max", [1, 3]]];

export class Heatmap {
	constructor(app) {
		this.app = app;
		Object.assign(this, { colour: "sqrt", axis: "log", layout: "merged", lines: true, zoom: 8, back: 0, paused: false, key: null, drag: null, picked: null, cursor: null });
		this.canvas = h("canvas", { role: "img", tabindex: "0", "aria-label": "heatmap" });
		this.tip = h("div", { class: "tip", hidden: true });
		this.keys = h("div", { class: "keys" });
		this.legend = h("canvas", { class: "legend", role: "img", "aria-label": "legend" });
		this.box = h("div", { class: "plot" }, this.canvas, this.tip);
		this.pauseButton = button("Pause", "Pause (space)", () => this.pause());
		this.el = h("div", { class: "view heat" },
			h("div", { class: "bar" },
				h("label", {}, "colour ", select("Colour scale", [["linear", "linear"], ["sqrt", "square root"], ["log", "log"], ["rank", "rank"]], this.colour, (v) => this.put("colour", v))),
				h("label", {}, "axis ", select("Value axis", [["log", "log"], ["linear", "linear"]], this.axis, (v) => this.put("axis", v))),
				h("label", {}, "keys ", select("How keys are shown", [["merged", "merged"], ["multiples", "small multiples"], ["hue", "by hue"]], this.layout, (v) => this.put("layout", v))),
				h("label", {}, h("input", { type: "checkbox", checked: true, onchange: (e) => this.put("lines", e.target.checked) }), " percentiles"),
				this.pauseButton,
				button("−", "Zoom out (-)", () => this.zoomBy(0.5)), button("+", "Zoom in (+)", () => this.zoomBy(2)),
				button("◀", "Back in time (left)", () => this.scroll(20)), button("▶", "Forward in time (right)", () => this.scroll(-20)), button("Now", "Newest", () => this.now()),
				this.legend),
			h("div", { class: "with-side" }, this.box, this.keys));
		this.canvas.addEventListener("pointermove", (e) => this.move(e));
		this.canvas.addEventListener("pointerleave", () => { this.cursor = null; this.tip.hidden = true; });
		this.canvas.addEventListener("pointerdown", (e) => { this.drag = this.point(e); this.canvas.setPointerCapture(e.pointerId); });
		this.canvas.addEventListener("pointerup", (e) => this.drop(e));
		this.canvas.addEventListener("wheel", (e) => { e.preventDefault(); if (e.ctrlKey) this.zoomBy(e.deltaY < 0 ? 1.25 : 0.8); else this.scroll(Math.round((e.deltaY || e.deltaX) / -10)); }, { passive: false });
	}

	put(name, v) { this[name] = v; this.draw(); }
	pause() {
		this.paused = !this.paused;
		this.frozen = this.paused && this.agg() ? this.agg().columns.at(-1)?.time : null;
		this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
		this.draw();
	}
	now() { this.back = 0; if (this.paused) this.pause(); else this.draw(); }
	zoomBy(f) { this.zoom = Math.min(64, Math.max(1, this.zoom * f)); this.draw(); }
	scroll(n) { this.back = Math.max(0, this.back + n); this.draw(); }
	key_(e) {
		if (e.key === " ") this.pause();
		else if (e.key === "+" || e.key === "=") this.zoomBy(2);
		else if (e.key === "-") this.zoomBy(0.5);
		else if (e.key === "ArrowLeft") this.scroll(10);
		else if (e.key === "ArrowRight") this.scroll(-10);
		else if (e.key === "Escape") { this.key = this.picked = null; this.draw(); }
		else return false;
		return true;
	}
	agg() { return this.app.agg((a) => a.isDistribution); }

	// Which columns are to be seen, the last one right.
	window(agg, width) {
		let last = agg.columns.length - 1;
		if (this.frozen) while (last > 0 && agg.columns[last].time > this.frozen) last--;
		this.back = Math.min(this.back, Math.max(0, last));
		last -= this.back;
		const n = Math.max(1, Math.floor(width / this.zoom));
		return { first: Math.max(0, last - n + 1), last };
	}

	draw() {
		const agg = this.agg();
		const w = Math.max(240, this.box.clientWidth), hgt = Math.max(220, this.box.clientHeight);
		const c = sized(this.canvas, w, hgt);
		c.clearRect(0, 0, w, hgt);
		c.font = "11px system-ui, sans-serif";
		c.fillStyle = css("--dim");
		if (!agg || !agg.columns.length) {
			c.fillText(this.app.waiting("This script has no distribution yet: quantize(), lquantize() and llquantize() make one."), LEFT, hgt / 2);
			this.keys.replaceChildren();
			this.panels = [];
			return;
		}
		const win = this.window(agg, w - LEFT - RIGHT);
		const share = this.shares(agg, win);
		if (this.key !== null && !agg.elems[this.key]) this.key = null;
		let shown = [this.key];
		if (this.layout === "multiples" && this.key === null) shown = share.slice(0, 6).map(([e]) => e.index);
		if (!shown.length) shown = [null];
		const each = Math.floor((hgt - BOTTOM) / shown.length);
		const hues = this.layout === "hue" && this.key === null ? new Map(share.slice(0, 8).map(([e], i) => [e.index, i])) : null;
		this.panels = shown.map((key, i) => this.panel(c, agg, key, win, { x: LEFT, y: TOP + i * each, w: w - LEFT - RIGHT, h: each - TOP }, hues, shown.length > 1));
		this.times(c, agg, win, w, hgt);
		if (this.drag && this.cursor) {
			c.strokeStyle = css("--fg");
			c.setLineDash([4, 2]);
			c.strokeRect(this.drag.x, this.drag.y, this.cursor.x - this.drag.x, this.cursor.y - this.drag.y);
			c.setLineDash([]);
		}
		this.side(agg, win, share, hues);
		const p = this.panels[0];
		this.canvas.setAttribute("aria-label", `Heatmap of ${agg.label}: ${win.last - win.first + 1} columns, ${full(p.total)} events, largest count ${full(p.scale.max)}`);
	}

	// Who has how much of what is seen. Many keys take a while: when the same columns are drawn again, as before.
	shares(agg, win) {
		const of = this.shared;
		if (of && of.agg === agg && of.first === win.first && of.last === win.last && of.time === agg.columns[win.last].time) return of.rows;
		const rows = agg.share(win.first, win.last);
		this.shared = { agg, first: win.first, last: win.last, time: agg.columns[win.last].time, rows };
		return rows;
	}

	panel(c, agg, key, win, r, hues, named) {
		let lo = Infinity, hi = -1, total = 0;
		const counts = [], cols = [];
		for (let i = win.first; i <= win.last; i++) {
			const b = agg.buckets(agg.columns[i], key);
			cols.push(b);
			for (let j = 0; j < b.length; j++)
				if (b[j]) {
					if (j < lo) lo = j;
					if (j > hi) hi = j;
					total += b[j];
					counts.push(b[j]);
				}
		}
		if (hi < 0) { lo = 0; hi = Math.max(1, agg.bounds.length - 1); }
		lo = Math.max(0, lo - 1);
		hi = Math.min(agg.bounds.length - 1, hi + 1);
		const sc = scale(this.colour, counts), colours = table();
		const edge = this.edges(agg, lo, hi, r);
		const x = (i) => r.x + r.w - (win.last - i + 1) * this.zoom;
		const gap = this.zoom >= 4 ? 1 : 0;
		for (let i = win.first; i <= win.last; i++) {
			const b = cols[i - win.first], left = x(i);
			const owner = hues ? this.owners(agg.columns[i], b.length) : null;
			for (let j = lo; j <= hi; j++) {
				if (!b[j]) continue;
				const t = sc.of(b[j]);
				c.fillStyle = owner && hues.has(owner[j]) ? hue(hues.get(owner[j]), t) : colours[Math.round(t * 255)];
				const top = edge[j + 1 - lo], height = Math.max(1, edge[j - lo] - top);
				c.fillRect(left, top, Math.max(1, this.zoom - gap), height > 3 ? height - gap : height);
			}
		}
		this.values(c, agg, lo, hi, edge, r);
		if (this.lines) this.percentiles(c, cols, win, x, edge, lo, r);
		if (named && agg.elems[key]) {
			c.fillStyle = css("--fg");
			c.fillText(tame(agg.elems[key].text, 60), r.x + 4, r.y + 10);
		}
		this.drawLegend(sc, colours);
		return { r, lo, hi, edge, key, total, scale: sc, win, agg };
	}

	// y of the lower edge of bucket lo, lo + 1, …, and of the upper edge of hi.
	edges(agg, lo, hi, r) {
		const n = hi - lo + 1, out = [];
		if (this.axis === "linear") {
			const from = agg.bounds[lo][0] ?? agg.bounds[lo][1], to = agg.bounds[hi][1] ?? agg.bounds[hi][0];
			const span = Math.max(1, to - from + 1);
			for (let j = lo; j <= hi; j++) out.push(r.y + r.h - (((agg.bounds[j][0] ?? from) - from) / span) * r.h);
			out.push(r.y);
			return out;
		}
		for (let j = 0; j <= n; j++) out.push(r.y + r.h - (j / n) * r.h);
		return out;
	}

	owners(col, n) {
		const most = new Float64Array(n), who = new Int32Array(n).fill(-1);
		if (col.k)
			for (let i = 0; i < col.k.length; i++)
				if (col.n[i] > most[col.b[i]]) {
					most[col.b[i]] = col.n[i];
					who[col.b[i]] = col.k[i];
				}
		return who;
	}

	values(c, agg, lo, hi, edge, r) {
		c.fillStyle = css("--dim");
		c.textAlign = "right";
		let last = Infinity;
		for (let j = lo; j <= hi; j++) {
			const y = edge[j - lo];
			if (last - y < 14 && j > lo) continue;
			last = y;
			const v = agg.bounds[j][0];
			c.fillText(v === null ? `≤ ${short(agg.bounds[j][1])}` : short(v), r.x - 6, Math.min(y, r.y + r.h));
			c.globalAlpha = 0.15;
			c.fillRect(r.x, y, r.w, 1);
			c.globalAlpha = 1;
		}
		c.textAlign = "left";
	}

	percentiles(c, cols, win, x, edge, lo, r) {
		c.strokeStyle = css("--line");
		c.fillStyle = css("--line");
		const labels = [];
		for (const [p, name, dash] of LINES) {
			c.setLineDash(dash);
			c.lineWidth = 1.3;
			c.beginPath();
			let on = false, endY = null;
			cols.forEach((b, i) => {
				let total = 0;
				for (const v of b) total += v;
				if (!total) { on = false; return; }
				const at = percentile(b, total, p), y = edge[Math.min(edge.length - 1, Math.max(0, at + 1 - lo))], px = x(win.first + i) + this.zoom / 2;
				if (on) c.lineTo(px, y);
				else c.moveTo(px, y);
				on = true;
				endY = y;
			});
			c.stroke();
			if (endY !== null) labels.push([endY, name]);
		}
		c.setLineDash([]);
		c.textAlign = "right";
		let above = -Infinity;
		for (const [y, name] of labels.reverse()) {
			const at = Math.max(r.y + 9, y - 3, above + 12);
			c.fillText(name, r.x + r.w - 4, at);
			above = at;
		}
		c.textAlign = "left";
	}

	times(c, agg, win, w, hgt) {
		c.fillStyle = css("--dim");
		const every = Math.max(1, Math.ceil(90 / this.zoom));
		for (let i = win.last; i >= win.first; i -= every) {
			const x = w - RIGHT - (win.last - i + 1) * this.zoom;
			c.fillText(clock(agg.columns[i].time), Math.min(w - 54, Math.max(LEFT, x - 30)), hgt - 6);
		}
	}

	drawLegend(sc, colours) {
		const c = sized(this.legend, 170, 22);
		c.clearRect(0, 0, 170, 22);
		for (let i = 0; i < 80; i++) { c.fillStyle = colours[Math.round((i / 79) * 255)]; c.fillRect(24 + i, 4, 1.5, 12); }
		c.fillStyle = css("--fg");
		c.font = "11px system-ui, sans-serif";
		c.textAlign = "right";
		c.fillText("1", 20, 14);
		c.textAlign = "left";
		c.fillText(short(sc.max), 110, 14);
		this.legend.setAttribute("aria-label", `colour from 1 to ${sc.max} events in a cell`);
	}

	point(e) {
		const b = this.canvas.getBoundingClientRect();
		return { x: e.clientX - b.left, y: e.clientY - b.top };
	}

	// The cell at a point: { panel, col, bucket } or null.
	cell(p) {
		for (const panel of this.panels || []) {
			const { r, edge, win, lo } = panel;
			if (p.x < r.x || p.x > r.x + r.w || p.y < r.y - TOP || p.y > r.y + r.h) continue;
			const col = win.last - Math.floor((r.x + r.w - p.x) / this.zoom);
			if (col < win.first || col > win.last) return null;
			let j = 0;
			while (j + 1 < edge.length - 1 && p.y < edge[j + 1]) j++;
			return { panel, col, bucket: lo + j };
		}
		return null;
	}

	range(agg, j) {
		const [a, b] = agg.bounds[j];
		return a === null ? `≤ ${full(b)}` : b === null ? `≥ ${full(a)}` : a === b ? full(a) : `${full(a)} … ${full(b)}`;
	}

	move(e) {
		this.cursor = this.point(e);
		if (this.drag) this.draw();
		const hit = this.cell(this.cursor);
		if (!hit) { this.tip.hidden = true; return; }
		const { agg, key } = hit.panel, col = agg.columns[hit.col], b = agg.buckets(col, key);
		let total = 0;
		for (const v of b) total += v;
		const n = b[hit.bucket];
		this.tip.textContent = `${clock(col.time)}  ${this.range(agg, hit.bucket)}\n${full(n)} event${n === 1 ? "" : "s"}, ${total ? ((n / total) * 100).toFixed(1) : 0} % of ${full(total)}`;
		this.tip.hidden = false;
		this.tip.style.left = `${Math.min(this.cursor.x + 14, this.box.clientWidth - 220)}px`;
		this.tip.style.top = `${Math.max(4, this.cursor.y - 44)}px`;
	}

	drop(e) {
		const from = this.drag, to = this.point(e);
		this.drag = null;
		if (from && Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 6) {
			const a = this.cell(from), b = this.cell(to);
			if (a && b && a.panel === b.panel) {
				const time = [a.col, b.col].sort((x, y) => x - y), val = [a.bucket, b.bucket].sort((x, y) => x - y);
				this.picked = { agg: a.panel.agg, t0: a.panel.agg.columns[time[0]].time, t1: a.panel.agg.columns[time[1]].time, lo: val[0], hi: val[1] };
			}
		} else this.picked = null;
		this.draw();
	}

	side(agg, win, share, hues) {
		let rows = share, title = "keys in sight";
		if (this.picked && this.picked.agg === agg) {
			const p = this.picked, first = agg.columns.findIndex((c) => c.time >= p.t0);
			let last = agg.columns.length - 1;
			while (last > first && agg.columns[last].time > p.t1) last--;
			rows = agg.share(first, last, p.lo, p.hi);
			title = `selected: ${this.range(agg, p.lo)} to ${this.range(agg, p.hi)}, ${clock(p.t0)} – ${clock(p.t1)}`;
		}
		const total = rows.reduce((s, [, n]) => s + n, 0);
		this.keys.replaceChildren(h("h3", {}, title),
			...rows.slice(0, 40).map(([e, n]) => {
				const b = button(h("span", {}, tame(e.text || "(no key)", 120)), `isolate ${tame(e.text, 80)}`, () => { this.key = this.key === e.index ? null : e.index; this.draw(); }, { class: this.key === e.index ? "key on" : "key", "aria-pressed": this.key === e.index ? "true" : "false" });
				if (hues && hues.has(e.index)) b.style.borderLeftColor = hue(hues.get(e.index), 1);
				b.append(h("b", {}, `${short(n)} · ${((n / total) * 100).toFixed(1)} %`));
				return b;
			}),
			rows.length > 40 ? h("p", { class: "dim" }, `and ${rows.length - 40} more`) : "");
	}

	toSvg() {
		const agg = this.agg();
		if (!agg || !this.panels?.length) return null;
		const w = this.box.clientWidth, hgt = this.box.clientHeight, root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: w, height: hgt, viewBox: `0 0 ${w} ${hgt}`, "font-family": "sans-serif", "font-size": 11 });
		root.append(svg("rect", { width: w, height: hgt, fill: css("--bg") }));
		const colours = table();
		for (const p of this.panels)
			for (let i = p.win.first; i <= p.win.last; i++) {
				const b = agg.buckets(agg.columns[i], p.key), x = p.r.x + p.r.w - (p.win.last - i + 1) * this.zoom;
				for (let j = p.lo; j <= p.hi; j++)
					if (b[j]) root.append(svg("rect", { x, y: p.edge[j + 1 - p.lo].toFixed(1), width: this.zoom, height: Math.max(1, p.edge[j - p.lo] - p.edge[j + 1 - p.lo]).toFixed(1), fill: colours[Math.round(p.scale.of(b[j]) * 255)] }, svg("title", {}, `${this.range(agg, j)}: ${b[j]}`)));
				if (i === p.win.first) for (let j = p.lo; j <= p.hi; j += Math.max(1, Math.round((p.hi - p.lo) / 10))) root.append(svg("text", { x: LEFT - 6, y: p.edge[j - p.lo], "text-anchor": "end", fill: css("--dim") }, short(agg.bounds[j][0] ?? agg.bounds[j][1])));
			}
		return root;
	}
}
