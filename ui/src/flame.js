// The flame graph: search, zoom, and the difference of two spans of time.
import { h, svg, select, button, toggle, field, full, brief, tame, clock } from "./dom.js";
import { isDark } from "./colour.js";
import { guess, measure } from "./units.js";
import { tree, layout, matching, isStacked } from "./flametree.js";
import { TimeStrip } from "./timestrip.js";

const ROW = 19,
	LEAST = 0.5,
	CHAR = 6.4;

export class Flame {
	constructor(app) {
		Object.assign(this, { app, span: "all", against: "none", spans: { now: null, before: null }, find: "", path: [], down: false });
		this.svg = svg("svg", { role: "group", "aria-label": "flame graph", class: "flame" });
		this.boxes = new Map(); // by path: the element and its parts
		this.note = h("p", { class: "note", role: "status" });
		this.scroller = h("div", { class: "scroll flames" }, this.svg);
		this.strip = new TimeStrip((which, span) => this.pickSpan(which, span));
		this.search = h("input", {
			type: "search",
			placeholder: "search frames",
			"aria-label": "Search frames",
			oninput: () => this.put({ find: this.search.value.toLowerCase() }),
		});
		this.spanBox = select(
			"Span of time",
			[
				["all", "since the start"],
				["10", "last 10 s"],
				["60", "last minute"],
				["300", "last 5 minutes"],
				["picked", "selected below"],
			],
			this.span,
			(v) => this.put({ span: v }),
		);
		this.againstBox = select(
			"Compared with",
			[
				["none", "nothing"],
				["span", "the span before it"],
				["picked", "selected below"],
			],
			this.against,
			(v) => this.put({ against: v }),
		);
		this.el = h(
			"div",
			{ class: "view" },
			h(
				"div",
				{ class: "bar" },
				this.search,
				field("show", this.spanBox),
				field("compare with", this.againstBox),
				button("Whole", "Zoom out to the whole (Escape)", () => this.put({ path: [] })),
				toggle("root on top", this.down, (v) => this.put({ down: v })),
			),
			this.scroller,
			this.note,
			this.strip.el,
		);
	}

	put(what) {
		Object.assign(this, what);
		this.app.settled();
		this.draw();
	}

	settings() {
		return { find: this.find, path: this.path.slice(0, 64), down: this.down };
	}

	restore(s) {
		this.find = this.search.value = typeof s.find === "string" ? s.find.slice(0, 200) : "";
		this.path = Array.isArray(s.path) ? s.path.filter((p) => typeof p === "string") : [];
		this.down = !!s.down;
	}

	forget() {
		Object.assign(this, { path: [], spans: { now: null, before: null } });
		this.spanBox.value = this.span = "all";
		this.againstBox.value = this.against = "none";
	}

	pickSpan(which, span) {
		this.spans[which] = span;
		if (which === "now") this.spanBox.value = this.span = "picked";
		else this.againstBox.value = this.against = "picked";
		this.draw();
	}

	agg() {
		return (
			this.app.agg((a) => a.id === this.app.chosen) ||
			this.app.agg(isStacked) ||
			this.app.agg((a) => !a.isDistribution) ||
			this.app.agg(() => true)
		);
	}

	// The chosen spans: { now, before }. null means since the start, or nothing to compare with.
	times(agg) {
		const end = agg.columns.at(-1)?.time ?? 0,
			ms = Number(this.span) * 1000;
		const now = this.span === "all" ? null : this.span === "picked" ? this.spans.now : [end - ms + 1, end];
		let before = null;
		if (this.against === "picked") before = this.spans.before;
		else if (this.against === "span" && now) before = [now[0] - Math.max(1, now[1] - now[0]) - 1, now[0] - 1];
		return { now, before };
	}

	draw() {
		const agg = this.agg();
		if (!agg) {
			this.svg.replaceChildren();
			this.boxes.clear();
			this.note.textContent = this.app.waiting("Key an aggregation by stack() or by several keys to see a flame graph.");
			return this.strip.draw(null, {});
		}
		const { now, before } = this.times(agg),
			w = Math.max(280, this.scroller.clientWidth - 6);
		this.unit = agg.fn === "sum" ? guess(agg, this.app.run?.info?.script) : "";
		this.differs = !!before;
		this.root = tree(agg, now, before);
		const list = layout(this.root, this.path, w, LEAST, this.differs);
		const deep = list.reduce((d, b) => Math.max(d, b.row), 0) + 1,
			hgt = Math.max(deep * ROW + 2, this.scroller.clientHeight - 6);
		this.svg.setAttribute("width", w);
		this.svg.setAttribute("height", hgt);
		this.place(list, (row) => (this.down ? row * ROW : hgt - (row + 1) * ROW));
		if (!this.down && hgt > this.scroller.clientHeight && this.tall !== hgt) this.scroller.scrollTop = hgt;
		this.tall = hgt;
		this.strip.draw(agg, { now, before });
		this.tell(agg, now, before);
	}

	tell(agg, now, before) {
		const hits = this.find ? matching(this.root, (n) => n.toLowerCase().includes(this.find)) / (this.root.now || 1) : 0;
		const when = (s) => `${clock(s[0])} – ${clock(s[1])}`;
		this.summary = `${agg.label}: ${this.amount(this.root.now)}${now ? `, ${when(now)}` : " since the start"}${before ? `; compared with ${when(before)}: ${this.amount(this.root.before)}. Orange has more of the whole than then, blue less` : ""}${this.find ? `; ${(hits * 100).toFixed(1)} % in frames that match` : ""}`;
		if (this.against === "span" && !now) this.summary += "; choose a span of time to compare it with the one before";
		if (!this.over) this.note.textContent = this.summary;
	}

	amount(n) {
		return this.unit ? measure(n, this.unit) : full(Math.round(n));
	}

	text(n) {
		const share = (v, all) => ((v / (all || 1)) * 100).toFixed(1);
		const a = share(n.now, this.root.now),
			b = share(n.before, this.root.before);
		return `${tame(n.name, 200)}: ${this.amount(n.now)} (${a} %)${this.differs ? `, before: ${this.amount(n.before)} (${b} %), ${a - b >= 0 ? "+" : "−"}${Math.abs(a - b).toFixed(1)}` : ""}`;
	}

	// Elements are reused, so that focus and pointer stay where they were.
	place(list, y) {
		const left = new Set(this.boxes.keys()),
			dark = isDark();
		for (const b of list) {
			const id = JSON.stringify(b.node.path);
			left.delete(id);
			let e = this.boxes.get(id);
			if (!e) this.boxes.set(id, (e = this.box()));
			e.node = b.node;
			const hit = this.find && b.node.name.toLowerCase().includes(this.find),
				text = this.text(b.node);
			const part = {
				x: b.x.toFixed(2),
				y: y(b.row),
				width: Math.max(0.4, b.w - 0.7).toFixed(2),
				height: ROW - 1.5,
				fill: this.colour(b.node, dark),
			};
			for (const [k, v] of Object.entries(part)) e.rect.setAttribute(k, v);
			e.g.setAttribute("aria-label", text);
			e.g.setAttribute("class", hit ? "hit" : this.find ? "miss" : "");
			e.label.textContent = b.w > 26 ? brief(b.node.name, Math.floor((b.w - 8) / CHAR)) : "";
			e.label.setAttribute("x", (b.x + 4).toFixed(2));
			e.label.setAttribute("y", y(b.row) + 13);
			e.g.setAttribute("tabindex", b.row === 0 ? "0" : "-1");
			e.at = b;
			if (!e.g.parentNode) this.svg.append(e.g);
		}
		for (const id of left) {
			const e = this.boxes.get(id);
			if (this.over === e) this.over = null;
			e.g.remove();
			this.boxes.delete(id);
		}
	}

	box() {
		const e = { rect: svg("rect", { rx: 2 }), label: svg("text") };
		e.g = svg("g", { role: "button" }, e.rect, e.label);
		e.g.addEventListener("click", () => this.put({ path: e.node.path }));
		e.g.addEventListener("keydown", (k) => this.walk(k, e));
		const over = () => {
			this.over = e;
			this.note.textContent = this.text(e.node);
		};
		const out = () => {
			this.over = null;
			this.note.textContent = this.summary;
		};
		e.g.addEventListener("pointerenter", over);
		e.g.addEventListener("focus", over);
		e.g.addEventListener("pointerleave", out);
		e.g.addEventListener("blur", out);
		return e;
	}

	key_(e) {
		if (e.key !== "Escape") return false;
		this.put({ path: [] });
		return true;
	}

	// Moves from frame to frame: up and down to callers and callees, left and right to neighbours.
	walk(k, e) {
		const away = this.down ? "ArrowDown" : "ArrowUp",
			back = this.down ? "ArrowUp" : "ArrowDown";
		const all = [...this.boxes.values()],
			row = all.filter((b) => b.at.row === e.at.row).sort((a, b) => a.at.x - b.at.x);
		let to = null;
		if (k.key === "Enter" || k.key === " ") this.put({ path: e.node.path });
		else if (k.key === away) to = all.find((b) => b.at.row === e.at.row + 1 && b.at.x >= e.at.x - 0.01 && b.at.x < e.at.x + e.at.w);
		else if (k.key === back) to = all.find((b) => b.at.row === e.at.row - 1 && b.at.x <= e.at.x + 0.01 && b.at.x + b.at.w > e.at.x);
		else if (k.key === "ArrowLeft") to = row[row.indexOf(e) - 1];
		else if (k.key === "ArrowRight") to = row[row.indexOf(e) + 1];
		else return;
		k.preventDefault();
		k.stopPropagation();
		to?.g.focus();
	}

	colour(n, dark) {
		if (this.differs) {
			const d = Math.max(-1, Math.min(1, (n.now / (this.root.now || 1) - n.before / (this.root.before || 1)) * 5)),
				f = Math.abs(d);
			const ground = dark ? [150, 150, 150] : [222, 222, 222],
				to = d >= 0 ? [230, 126, 20] : [64, 150, 220];
			return `rgb(${ground.map((v, i) => Math.round(v + (to[i] - v) * Math.sqrt(f))).join(",")})`;
		}
		let x = 0;
		for (let i = 0; i < n.name.length && i < 64; i++) x = (x * 31 + n.name.charCodeAt(i)) & 0xffff;
		return `hsl(${24 + (x % 28)} ${60 + (x % 25)}% ${(dark ? 58 : 66) + (x % 10)}%)`;
	}

	toSvg() {
		if (!this.boxes.size) return null;
		const copy = this.svg.cloneNode(true);
		for (const [k, v] of [
			["xmlns", "http://www.w3.org/2000/svg"],
			["font-family", "system-ui, sans-serif"],
			["font-size", "11"],
		])
			copy.setAttribute(k, v);
		for (const g of copy.children) g.append(svg("title", {}, g.getAttribute("aria-label")));
		return copy;
	}
}
