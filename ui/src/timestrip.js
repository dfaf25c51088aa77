// A strip of time below a picture: how much there was in each interval, and two spans to choose by dragging or with the
// keyboard.
import { h, select, field, theme, sized, clock } from "./dom.js";
import { CanvasPen } from "./pen.js";

const TALL = 44;

export class TimeStrip {
	constructor(pick) {
		Object.assign(this, { pick, which: "now", agg: null, drag: null, columns: [] });
		this.canvas = h("canvas", { tabindex: "0", role: "img", "aria-label": "time" });
		this.mode = select(
			"What a drag selects",
			[
				["now", "the span that is shown"],
				["before", "the span to compare with"],
			],
			this.which,
			(v) => (this.which = v),
		);
		this.box = h("div", { class: "strip" }, this.canvas);
		this.el = h(
			"div",
			{ class: "striped" },
			this.box,
			h("div", { class: "bar" }, field("drag here selects", this.mode), h("span", { class: "dim" }, "shift: the other one")),
		);
		this.canvas.addEventListener("pointerdown", (e) => {
			this.canvas.setPointerCapture(e.pointerId);
			this.drag = { from: this.at(e), other: e.shiftKey };
		});
		this.canvas.addEventListener("pointermove", (e) => this.drag && this.choose(this.drag.from, this.at(e), this.drag.other));
		this.canvas.addEventListener("pointerup", (e) => {
			if (this.drag) this.choose(this.drag.from, this.at(e), this.drag.other);
			this.drag = null;
		});
		this.canvas.addEventListener("keydown", (e) => this.key(e));
	}

	// The column at a pointer.
	at(e) {
		const b = this.canvas.getBoundingClientRect(),
			n = this.columns.length;
		return Math.max(0, Math.min(n - 1, Math.floor(((e.clientX - b.left) / b.width) * n)));
	}

	choose(a, b, other = false) {
		if (!this.columns.length) return;
		const [from, to] = a < b ? [a, b] : [b, a],
			which = other === (this.which === "now") ? "before" : "now";
		this.pick(which, [this.columns[from].time, this.columns[to].time]);
	}

	// Arrow keys move a span of a tenth; with shift the other one.
	key(e) {
		const n = this.columns.length,
			step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!step || !n) return;
		e.preventDefault();
		e.stopPropagation();
		const wide = Math.max(1, Math.round(n / 10)),
			other = e.shiftKey,
			name = other ? "keyOther" : "keyThis";
		this[name] = Math.max(0, Math.min(n - wide, (this[name] ?? n - wide + (step > 0 ? -1 : 0)) + step * Math.max(1, wide >> 1)));
		this.choose(this[name], this[name] + wide - 1, other);
	}

	draw(agg, spans) {
		const w = Math.max(100, this.box.clientWidth),
			c = sized(this.canvas, w, TALL),
			pen = new CanvasPen(c),
			css = theme();
		c.clearRect(0, 0, w, TALL);
		this.columns = agg ? agg.columns : [];
		const n = this.columns.length,
			px = w / Math.max(1, n);
		let max = 0;
		for (const col of this.columns) max = Math.max(max, col.total / (col.span || 1));
		for (const [name, fill] of [
			["before", "rgb(64,150,220)"],
			["now", "rgb(230,126,20)"],
		]) {
			const s = spans[name],
				inside = s ? this.columns.map((col, i) => (col.time >= s[0] && col.time <= s[1] ? i : -1)).filter((i) => i >= 0) : [];
			if (inside.length) pen.rect(inside[0] * px, 0, Math.max(2, inside.length * px), TALL, fill, { alpha: 0.3 });
		}
		this.columns.forEach((col, i) => {
			const tall = max ? (col.total / (col.span || 1) / max) * (TALL - 6) : 0;
			if (tall) pen.rect(i * px, TALL - Math.max(1, tall), Math.max(0.6, px * 0.85), Math.max(1, tall), css.dim, { alpha: 0.75 });
		});
		this.canvas.setAttribute(
			"aria-label",
			n
				? `time from ${clock(this.columns[0].time)} to ${clock(this.columns[n - 1].time)}: drag, or use left and right, to select a span; with shift the one to compare with`
				: "time: nothing yet",
		);
	}
}
