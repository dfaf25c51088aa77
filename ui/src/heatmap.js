// The heatmap view: what is shown, with which scales, and what pointer and keys do.
import { h, select, button, full, plural, clock, tame, theme, sized, field } from "./dom.js";
import { UNITS, guess, measure, range } from "./units.js";
import { hue, isDark } from "./colour.js";
import { CanvasPen, SvgPen } from "./pen.js";
import { KeyList } from "./keys.js";
import { plot, legend, slots, LINES, margins } from "./heatplot.js";

const MULTIPLES = 6,
	LEGEND = 120;
const ZOOM = { least: 1 / 64, most: 64 };

export class Heatmap {
	constructor(app) {
		Object.assign(this, { app, colour: "sqrt", axis: "log", layout: "merged", unit: "auto" });
		Object.assign(this, { zoom: 8, end: null, key: null, drag: null, picked: null, cell: null, values: null });
		this.lines = new Set(["p50", "p90", "p99"]);
		this.canvas = h("canvas", { role: "img", tabindex: "0", "aria-label": "heatmap" });
		this.tip = h("div", { class: "tip", role: "status", hidden: true });
		this.legend = h("canvas", { role: "img", "aria-label": "legend" });
		this.box = h("div", { class: "plot" }, this.canvas, this.tip);
		this.keys = new KeyList((e) => this.isolate(e.index));
		this.place = h("span", { class: "place", role: "status" });
		this.pauseButton = button("Pause", "Pause (space)", () => this.pause());
		this.controls = {
			colour: select(
				"Colour scale",
				[
					["linear", "linear"],
					["sqrt", "square root"],
					["log", "log"],
					["rank", "rank"],
				],
				this.colour,
				(v) => this.put({ colour: v }),
			),
			axis: select(
				"Value axis",
				[
					["log", "log"],
					["linear", "linear"],
				],
				this.axis,
				(v) => this.put({ axis: v }),
			),
			unit: select("Unit of values", [["auto", "auto"], ...UNITS], this.unit, (v) => this.put({ unit: v })),
			layout: select(
				"How keys are shown",
				[
					["merged", "merged"],
					["multiples", "small multiples"],
					["hue", "by hue"],
					["group", "hue of first key"],
				],
				this.layout,
				(v) => this.put({ layout: v }),
			),
		};
		this.chips = h(
			"span",
			{ class: "chips", role: "group", "aria-label": "Percentile lines" },
			LINES.map(({ name }) => this.chip(name)),
		);
		const { colour, axis, unit, layout } = this.controls;
		this.el = h(
			"div",
			{ class: "view heat" },
			h(
				"div",
				{ class: "bar" },
				field("keys", layout),
				field("axis", axis),
				field("unit", unit),
				field("colour", colour),
				this.chips,
			),
			h(
				"div",
				{ class: "with-side" },
				h(
					"div",
					{ class: "plotting" },
					this.box,
					h(
						"div",
						{ class: "bar below" },
						this.pauseButton,
						button("Now", "Newest (n)", () => this.now()),
						button("◀", "Back in time (left)", () => this.scroll(0.25)),
						button("▶", "Forward in time (right)", () => this.scroll(-0.25)),
						button("−", "Zoom out (-)", () => this.zoomBy(0.5)),
						button("+", "Zoom in (+)", () => this.zoomBy(2)),
						this.place,
						h("span", { class: "fill" }),
						h("span", { class: "ramp" }, h("span", {}, "events in a cell"), this.legend),
					),
				),
				this.keys.el,
			),
		);
		this.listen();
	}

	chip(name) {
		const b = button(
			name,
			`line of ${name}`,
			() => {
				if (!this.lines.delete(name)) this.lines.add(name);
				this.put({});
			},
			{ "data-line": name },
		);
		return b;
	}

	listen() {
		const on = (type, f, opts) => this.canvas.addEventListener(type, f, opts);
		on("pointermove", (e) => this.move(this.point(e)));
		on("pointerleave", () => this.hideTip());
		on("pointerdown", (e) => {
			this.drag = { from: this.point(e), to: null };
			this.canvas.setPointerCapture(e.pointerId);
		});
		on("pointerup", (e) => this.drop(this.point(e)));
		on("pointercancel", () => (this.drag = null));
		on("blur", () => this.hideTip());
		on(
			"wheel",
			(e) => {
				e.preventDefault();
				if (e.ctrlKey) this.zoomBy(e.deltaY < 0 ? 1.25 : 0.8);
				else this.scroll((Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : e.deltaY) / -1000);
			},
			{ passive: false },
		);
	}

	// -- what the user sets

	put(what) {
		Object.assign(this, what);
		this.app.settled();
		this.draw();
	}

	// What a link carries, and how it is restored.
	settings() {
		return { colour: this.colour, axis: this.axis, layout: this.layout, unit: this.unit, lines: [...this.lines] };
	}

	restore(s) {
		for (const [name, el] of Object.entries(this.controls))
			if ([...el.options].some((o) => o.value === s[name])) el.value = this[name] = s[name];
		if (Array.isArray(s.lines)) this.lines = new Set(LINES.map((l) => l.name).filter((n) => s.lines.includes(n)));
	}

	forget() {
		this.unpick();
		Object.assign(this, { end: null, sums: null });
		this.keys.clear();
	}

	// Cells, keys and ranges of values belong to one aggregation.
	unpick() {
		Object.assign(this, { key: null, picked: null, cell: null, anchor: null, values: null });
		this.hideTip();
	}

	get paused() {
		return this.end !== null;
	}

	pause() {
		this.end = this.paused ? null : (this.agg()?.columns.at(-1)?.time ?? null);
		this.draw();
	}

	now() {
		Object.assign(this, { end: null, values: null });
		this.draw();
	}

	zoomBy(f) {
		this.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, this.zoom * f));
		this.draw();
	}

	// Scrolls by a part of what is visible. At the newest column it follows by itself.
	scroll(part) {
		const agg = this.agg(),
			shown = this.drawn?.shown;
		if (!agg || !shown?.list.length) return;
		const n = Math.sign(part) * Math.max(1, Math.round(Math.abs(part) * (shown.last - shown.first + 1)));
		const to = Math.max(0, shown.last - n);
		this.end = to >= agg.columns.length - 1 ? null : agg.columns[to].time;
		this.draw();
	}

	isolate(index) {
		this.key = this.key === index ? null : index;
		this.draw();
	}

	// Makes the selection fill the picture.
	zoomIn() {
		const agg = this.agg(),
			p = this.picked,
			of = p && agg.span(p.t0, p.t1);
		if (!of) return;
		this.values = [p.lo, p.hi];
		this.end = p.t1;
		this.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, this.drawn.r.w / (of[1] - of[0] + 1)));
		this.picked = null;
		this.draw();
	}

	key_(e) {
		const cursor = document.activeElement === this.canvas;
		const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
		if (cursor && step) this.walk(step, e.shiftKey);
		else if (e.key === " ") this.pause();
		else if (e.key === "+" || e.key === "=") this.zoomBy(2);
		else if (e.key === "-") this.zoomBy(0.5);
		else if (e.key === "n") this.now();
		else if (e.key === "ArrowLeft" || e.key === "PageUp") this.scroll(0.25);
		else if (e.key === "ArrowRight" || e.key === "PageDown") this.scroll(-0.25);
		else if (e.key === "Enter" && this.picked) this.zoomIn();
		else if (e.key === "Escape") {
			this.unpick();
			this.draw();
		} else return false;
		return true;
	}

	// -- drawing

	agg() {
		return this.app.agg((a) => a.isDistribution);
	}

	unitOf(agg) {
		return this.unit === "auto" ? guess(agg, this.app.run?.info?.script) : this.unit;
	}

	// Everything a pen needs to know.
	options(agg, w, hgt) {
		const view = { zoom: this.zoom, end: this.end },
			m = margins(w),
			r = { x: m.left, w: w - m.left - m.right };
		const shown = slots(agg, view, r),
			sums = this.shares(agg, shown);
		if (this.key !== null && !agg.elems[this.key]) this.key = null;
		let keys = [this.key];
		if (this.layout === "multiples" && this.key === null && sums.length) keys = sums.slice(0, MULTIPLES).map(([e]) => e.index);
		const hues = this.key === null ? this.hues(sums) : null;
		let [low, high] = this.values || [agg.low, agg.high];
		if (high < 0) [low, high] = [0, agg.bounds.length - 1];
		else if (!this.values && this.axis === "log") [low, high] = [Math.max(0, low - 1), Math.min(agg.bounds.length - 1, high + 1)];
		return {
			w,
			h: hgt,
			dark: isDark(),
			css: theme(),
			view,
			keys,
			hues,
			sums,
			low,
			high,
			colour: this.colour,
			axis: this.axis,
			unit: this.unitOf(agg),
			lines: this.lines,
		};
	}

	// Maps an element to the number of its colour: the largest seven, or by the first of several keys (on several
	// nodes: the node).
	hues(sums) {
		if (this.layout === "hue") return new Map(sums.slice(0, 7).map(([e], i) => [e.index, i]));
		if (this.layout !== "group") return null;
		const groups = new Map();
		for (const [e] of sums) if (!groups.has(e.parts[0])) groups.set(e.parts[0], groups.size);
		return new Map(sums.map(([e]) => [e.index, groups.get(e.parts[0])]));
	}

	draw() {
		const agg = this.agg(),
			w = Math.max(260, this.box.clientWidth),
			hgt = Math.max(200, this.box.clientHeight);
		const c = sized(this.canvas, w, hgt),
			pen = new CanvasPen(c);
		c.clearRect(0, 0, w, hgt);
		for (const b of this.chips.children) b.setAttribute("aria-pressed", String(this.lines.has(b.dataset.line)));
		if (!agg || !agg.columns.length) return this.empty(pen, w, hgt);
		if (this.drawn && this.drawn.agg !== agg) this.unpick();
		const o = this.options(agg, w, hgt);
		this.drawn = { ...plot(pen, agg, o), agg, o };
		this.panels = this.drawn.panels;
		this.marks(pen, agg);
		this.side(agg, o);
		this.drawLegend(o);
		this.tell(agg, o);
	}

	empty(pen, w, hgt) {
		const text = this.app.waiting("This script has no distribution yet: quantize(), lquantize() and llquantize() make one.");
		pen.text(w / 2, hgt / 2, text, theme().dim, { anchor: "middle", size: 13 });
		this.panels = [];
		this.drawn = null;
		this.keys.clear();
		this.place.textContent = "";
		this.canvas.setAttribute("aria-label", text);
	}

	// Each key's share of what is visible. With many keys this takes a while, so it is done once for the same
	// columns.
	shares(agg, shown) {
		const s = this.sums,
			time = agg.columns[shown.last]?.time;
		if (s && s.agg === agg && s.first === shown.first && s.last === shown.last && s.time === time) return s.rows;
		this.sums = { agg, first: shown.first, last: shown.last, time, rows: agg.share(shown.first, shown.last) };
		return this.sums.rows;
	}

	// Draws the selection and the cell under the keyboard.
	marks(pen, agg) {
		const css = theme();
		if (this.drag?.to) {
			const { from, to } = this.drag;
			pen.frame(from.x, from.y, to.x - from.x, to.y - from.y, css.fg, [4, 3]);
		}
		const p = this.picked;
		if (p && p.agg === agg) {
			const inside = this.drawn.shown.list.filter((s) => agg.columns[s.to].time >= p.t0 && agg.columns[s.from].time <= p.t1);
			for (const { axis } of inside.length ? this.panels : []) {
				const lo = Math.max(axis.lo, p.lo),
					hi = Math.min(axis.hi, p.hi),
					last = inside.at(-1);
				if (lo <= hi)
					pen.frame(
						inside[0].x - 1,
						axis.upper(hi) - 1,
						last.x + last.w - inside[0].x + 1,
						axis.lower(lo) - axis.upper(hi) + 2,
						css.fg,
						[4, 3],
					);
			}
		}
		const at = this.cell && this.panels[this.cell.panel],
			s = this.cell && this.drawn.shown.list[this.cell.slot];
		if (at && s && document.activeElement === this.canvas)
			pen.frame(
				s.x - 1,
				at.axis.upper(this.cell.bucket) - 1,
				s.w + 2,
				at.axis.lower(this.cell.bucket) - at.axis.upper(this.cell.bucket) + 2,
				css.accent,
			);
	}

	drawLegend(o) {
		const pen = new CanvasPen(sized(this.legend, LEGEND, 28)),
			{ scale: sc, colours } = this.drawn;
		pen.c.clearRect(0, 0, LEGEND, 28);
		legend(pen, sc, o.hues ? colours.map((_, i) => hue(99, i / 255, o.dark)) : colours, o.css, LEGEND);
		this.legend.setAttribute("aria-label", `colour from 1 to ${full(sc.max)} events in a cell`);
	}

	// Describes the picture in words.
	tell(agg, o) {
		const { shown, scale: sc } = this.drawn,
			total = this.panels.reduce((s, p) => s + p.total, 0);
		const old = agg.columns.at(-1).time - agg.columns[shown.last].time,
			span = ((this.app.run.info?.interval || 1000) / 1000) * shown.group;
		const width = span < 60 ? `${+span.toFixed(span < 10 ? 1 : 0)} s` : `${+(span / 60).toFixed(1)} min`;
		this.place.textContent = this.paused
			? `paused${old > 500 ? `, ${measure(Math.round(old / 1000), "s")} back` : ""}`
			: `a column is ${width}`;
		this.place.classList.toggle("on", this.paused);
		this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
		this.canvas.setAttribute(
			"aria-label",
			`Heatmap of ${agg.label}: ${shown.last - shown.first + 1} columns, ${full(total)} events, largest count ${full(sc.max)}. Arrow keys move over the cells, with shift they select.`,
		);
		this.canvas.dataset.unit = o.unit;
	}

	// -- cells under pointer and keyboard

	point(e) {
		const b = this.canvas.getBoundingClientRect();
		return { x: e.clientX - b.left, y: e.clientY - b.top };
	}

	// { panel, slot, bucket } or null
	find({ x, y }) {
		if (!this.drawn) return null;
		const slot = this.drawn.shown.list.findIndex((s) => x >= s.x && x < s.x + s.w);
		const panel = this.panels.findIndex((p) => y >= p.r.y - 2 && y <= p.r.y + p.r.h + 2);
		return slot < 0 || panel < 0 ? null : { panel, slot, bucket: this.panels[panel].axis.bucket(y) };
	}

	move(p) {
		if (this.drag) {
			this.drag.to = p;
			this.draw();
		}
		this.showTip(this.find(p), p);
	}

	showTip(at, p) {
		if (!at) return this.hideTip();
		const { agg, shown, o } = this.drawn,
			panel = this.panels[at.panel],
			s = shown.list[at.slot],
			b = panel.cells[at.slot];
		let total = 0;
		for (const n of b) total += n;
		const n = b[at.bucket],
			share = total ? ((n / total) * 100).toFixed(1) : "0.0";
		this.tip.replaceChildren(
			h("b", {}, range(agg.bounds[at.bucket], o.unit)),
			`  ${clock(agg.columns[s.to].time)}`,
			h("br"),
			`${full(n)} event${n === 1 ? "" : "s"}, ${share} % of ${full(total)}`,
		);
		if (o.unit) this.tip.append(h("br"), h("span", { class: "raw" }, this.bounds(agg.bounds[at.bucket])));
		this.tip.hidden = false;
		this.tip.style.left = `${Math.max(4, Math.min(p.x + 14, this.box.clientWidth - this.tip.offsetWidth - 6))}px`;
		this.tip.style.top = `${p.y > 70 ? p.y - 62 : p.y + 16}px`;
	}

	hideTip() {
		this.tip.hidden = true;
	}

	bounds([a, b]) {
		return a === null ? `… ${full(b)}` : b === null ? `${full(a)} …` : a === b ? full(a) : `${full(a)} … ${full(b)}`;
	}

	select(a, b) {
		const { agg, shown } = this.drawn,
			[s, t] = [a.slot, b.slot].sort((x, y) => x - y).map((i) => shown.list[i]);
		const [lo, hi] = [a.bucket, b.bucket].sort((x, y) => x - y);
		this.picked = { agg, t0: agg.columns[s.from].time, t1: agg.columns[t.to].time, lo, hi };
	}

	drop(to) {
		const { from } = this.drag || {};
		this.drag = null;
		if (!from) return;
		const far = Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 6,
			a = this.find(this.into(from)),
			b = this.find(this.into(to));
		if (far && a && b && a.panel === b.panel) this.select(a, b);
		else if (!far) this.picked = null;
		this.draw();
	}

	// The nearest point that is inside the cells.
	into({ x, y }) {
		const list = this.drawn?.shown.list,
			p = this.panels?.[0];
		if (!list?.length || !p) return { x, y };
		const last = list.at(-1);
		return {
			x: Math.min(Math.max(x, list[0].x), last.x + last.w - 0.1),
			y: Math.min(Math.max(y, this.panels[0].r.y), this.panels.at(-1).r.y + this.panels.at(-1).r.h),
		};
	}

	// Moves over the cells by keyboard. With shift, what lies between becomes the selection.
	walk([dx, dy], selecting) {
		if (!this.paused) this.pause(); // cells must not move away below the cursor
		else this.draw(); // another aggregation may have been chosen since
		if (!this.drawn?.shown.list.length) return;
		const { shown, o } = this.drawn,
			at = this.cell || { panel: 0, slot: shown.list.length, bucket: Math.round((o.low + o.high) / 2) };
		if (!selecting) this.anchor = null;
		else this.anchor ??= at;
		this.cell = {
			panel: at.panel,
			slot: Math.min(shown.list.length - 1, Math.max(0, at.slot + dx)),
			bucket: Math.min(o.high, Math.max(o.low, at.bucket + dy)),
		};
		if (this.anchor) this.select({ ...this.anchor, slot: Math.min(this.anchor.slot, shown.list.length - 1) }, this.cell);
		this.draw();
		const s = shown.list[this.cell.slot],
			p = this.panels[this.cell.panel];
		this.showTip(this.cell, { x: s.x + s.w, y: p.axis.upper(this.cell.bucket) });
	}

	// -- keys beside it

	side(agg, o) {
		const p = this.picked,
			of = p?.agg === agg ? agg.span(p.t0, p.t1) : null,
			actions = [];
		let rows = o.sums,
			title = `${plural(rows.length, "key")} in sight`,
			note = "Click one to see it alone; drag over cells to see whose they are.";
		if (of) {
			const id = `${of} ${p.lo} ${p.hi} ${p.t0} ${p.t1}`;
			if (this.chosen?.id !== id || this.chosen.agg !== agg) this.chosen = { id, agg, rows: agg.share(of[0], of[1], p.lo, p.hi) };
			rows = this.chosen.rows;
			const events = rows.reduce((s, [, n]) => s + n, 0),
				where = range([agg.bounds[p.lo][0], agg.bounds[p.hi][1]], o.unit);
			title = `Selected: ${plural(events, "event")} of ${plural(rows.length, "key")}`;
			note = `${where}, ${clock(p.t0)} – ${clock(p.t1)}`;
			actions.push(
				["Zoom to it", "Zoom to the selection (Enter)", () => this.zoomIn()],
				["Clear", "Clear the selection (Escape)", () => this.put({ picked: null })],
			);
		}
		if (this.values) actions.push(["All values", "Show all values again (Escape)", () => this.put({ values: null })]);
		this.keys.show({
			title,
			note,
			actions,
			rows,
			chosen: this.key,
			same: `${this.layout} ${o.dark}`,
			colour: (e) => (o.hues ? hue(o.hues.get(e.index) ?? 99, 1, o.dark) : null),
		});
	}

	// -- as a picture for files

	toSvg() {
		const agg = this.agg();
		if (!agg?.columns.length) return null;
		const w = Math.max(400, this.box.clientWidth),
			hgt = Math.max(300, this.box.clientHeight),
			o = this.options(agg, w, hgt);
		const pen = new SvgPen(w, hgt + 40, o.css.panel),
			drawn = plot(pen, agg, o),
			{ left } = margins(w);
		const low = new SvgPen(LEGEND, 28, o.css.panel);
		legend(low, drawn.scale, drawn.colours, o.css, LEGEND);
		low.root.setAttribute("x", left);
		low.root.setAttribute("y", hgt + 6);
		pen.root.append(low.root);
		pen.text(
			left + LEGEND + 16,
			hgt + 18,
			`events in a cell · ${agg.label}${this.key !== null ? ` of ${tame(agg.elems[this.key].text, 60)}` : ""}`,
			o.css.dim,
		);
		[...(o.hues || [])].slice(0, 7).forEach(([k, n], i) => {
			pen.rect(left + LEGEND + 16 + i * 110, hgt + 24, 9, 9, hue(n, 1, o.dark));
			pen.text(left + LEGEND + 30 + i * 110, hgt + 32, tame(agg.elems[k].text, 14), o.css.fg);
		});
		return pen.root;
	}
}
