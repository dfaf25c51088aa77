// The waterfall: the way of single requests through servers. A row is a server on the way; its bars are the time that the
// request waited for it and the time that it ran, as far as it worked itself and as far as it waited for the next one.
//
// It shows an aggregation @waterfall whose keys are request, at, wait, run (ns), depth, process, its name, what was asked,
// and what came back; on several nodes the node comes first. The value is how long the whole request took.
import { h, svg, select, toggle, field, brief, tame, plural, theme } from "./dom.js";
import { measure, niceSteps } from "./units.js";
import { isDark } from "./colour.js";

const ROW = 22,
	HEAD = 34,
	GAP = 16,
	CHAR = 6.5,
	MOST = 50, // requests
	KEYS = 9;

export const isWaterfall = (a) => a.name === "waterfall" && !a.isDistribution && a.elems.some((e) => e.keys.length >= KEYS);

function hopOf(e) {
	const more = e.keys.length - KEYS,
		[id, at, wait, run, depth, process, name, what, reply] = more >= 0 ? e.keys.slice(more) : [];
	const hop = { at: Number(at), wait: Number(wait), run: Number(run), depth: Number(depth), process, name, what, reply };
	return [hop.at, hop.wait, hop.run, hop.depth].every((n) => Number.isFinite(n) && n >= 0)
		? { ...hop, id: `${more ? `${e.keys[0]} ` : ""}${id}`, node: more ? String(e.keys[0]) : "", total: Number(e.value) }
		: null;
}

// The times at which a server worked itself: its run without the calls that it made. [[from, to], …]
export function ownTimes(hops, i) {
	const { at, wait, run, depth } = hops[i],
		out = [];
	let from = at + wait;
	for (let j = i + 1; j < hops.length && hops[j].depth > depth; j++) {
		if (hops[j].depth !== depth + 1) continue;
		if (hops[j].at > from) out.push([from, Math.min(hops[j].at, at + wait + run)]);
		from = Math.max(from, hops[j].at + hops[j].wait + hops[j].run);
	}
	if (from < at + wait + run) out.push([from, at + wait + run]);
	return out.filter(([a, b]) => b > a);
}

// The requests of an aggregation: { id, node, total, hops }, each with its hops in the order in which they were asked.
export function requests(agg, order) {
	const all = new Map();
	for (const e of agg.elems) {
		const hop = e.count ? hopOf(e) : null;
		if (!hop) continue;
		let r = all.get(hop.id);
		if (!r) all.set(hop.id, (r = { id: hop.id, node: hop.node, total: 0, seen: e.index, hops: [] }));
		r.total = Math.max(r.total, hop.total);
		r.seen = Math.max(r.seen, e.index);
		// a name that was not known at once comes as another key
		const same = r.hops.findIndex((x) => x.at === hop.at && x.depth === hop.depth && x.process === hop.process);
		if (same < 0) r.hops.push(hop);
		else if (hop.name !== hop.process) r.hops[same] = hop;
	}
	// without its first hop a request has been cut off, because too many were kept
	const whole = [...all.values()].filter((r) => r.hops.some((x) => x.depth === 0));
	for (const r of whole) {
		r.hops.sort((a, b) => a.at - b.at || a.depth - b.depth);
		r.hops.forEach((hop, i) => (hop.own = ownTimes(r.hops, i)));
	}
	return whole.sort((a, b) => (order === "newest" ? b.seen - a.seen : b.total - a.total) || (a.id < b.id ? -1 : 1));
}

export class Waterfall {
	constructor(app) {
		Object.assign(this, { app, order: "slowest", same: false, find: "", list: [], rows: new Map() });
		this.svg = svg("svg", { role: "group", "aria-label": "requests", class: "waterfall" });
		this.note = h("p", { class: "note", role: "status" });
		this.scroller = h("div", { class: "scroll" }, this.svg);
		this.search = h("input", {
			type: "search",
			placeholder: "search requests",
			"aria-label": "Search requests",
			oninput: () => this.put({ find: this.search.value.toLowerCase() }),
		});
		this.orderBox = select(
			"Order",
			[
				["slowest", "slowest first"],
				["newest", "newest first"],
			],
			this.order,
			(v) => this.put({ order: v }),
		);
		this.sameBox = toggle("one scale for all", this.same, (v) => this.put({ same: v }));
		this.el = h("div", { class: "view" }, h("div", { class: "bar" }, this.search, field("show", this.orderBox), this.sameBox), this.scroller, this.note);
	}

	put(what) {
		Object.assign(this, what);
		this.draw();
	}

	settings() {
		return { order: this.order, same: this.same, find: this.find };
	}

	restore(s) {
		this.order = this.orderBox.value = s.order === "newest" ? "newest" : "slowest";
		this.same = this.sameBox.firstChild.checked = !!s.same;
		this.find = this.search.value = typeof s.find === "string" ? s.find.slice(0, 200) : "";
	}

	forget() {
		this.over = null;
	}

	agg() {
		return this.app.agg(isWaterfall);
	}

	draw() {
		const agg = this.agg(),
			all = agg ? requests(agg, this.order) : [];
		const has = (hop) => `${hop.process} ${hop.name} ${hop.what} ${hop.reply}`.toLowerCase().includes(this.find);
		const found = this.find ? all.filter((r) => r.hops.some(has)) : all;
		this.list = found.slice(0, MOST);
		this.place();
		this.summary = all.length
			? `${plural(all.length, "request")}${this.find ? `, ${found.length} that match` : ""}${found.length > MOST ? `, ${MOST} shown` : ""}. Grey: it waits in the queue. Full colour: the server itself works. Faint: the server waits for the next one.`
			: this.app.waiting(
					agg
						? "No request was slow enough yet."
						: "An aggregation @waterfall shows requests: start the ready script request-path on a node.",
				);
		if (!this.over) this.note.textContent = this.summary;
	}

	// Rows are reused, so that focus and pointer stay where they were.
	place() {
		const w = Math.max(320, this.scroller.clientWidth - 6),
			left = Math.min(w * 0.45, 420),
			css = theme(),
			seen = new Set();
		const most = Math.max(1, ...this.list.map((r) => r.total));
		let y = 4;
		for (const r of this.list) {
			const scale = (w - left - 12) / (this.same ? most : Math.max(1, r.total));
			this.head(r, y, { w, left, scale, css, most: this.same ? most : r.total }, seen);
			y += HEAD;
			r.hops.forEach((hop, i) => {
				this.hop(r, hop, i, y, { left, scale, css }, seen);
				y += ROW;
			});
			y += GAP;
		}
		for (const [id, e] of this.rows)
			if (!seen.has(id)) {
				if (this.over === e) this.over = null;
				e.g.remove();
				this.rows.delete(id);
			}
		const order = [...seen].map((id) => this.rows.get(id));
		order.forEach((e, i) => this.svg.children[i] === e.g || this.svg.insertBefore(e.g, this.svg.children[i] ?? null));
		order.filter((e) => e.hop).forEach((e, i) => e.g.setAttribute("tabindex", i ? "-1" : "0"));
		this.svg.setAttribute("width", w);
		this.svg.setAttribute("height", Math.max(y, 20));
		this.ground = css.panel;
	}

	row(id, seen, make) {
		let e = this.rows.get(id);
		if (!e) this.rows.set(id, (e = make()));
		seen.add(id);
		return e;
	}

	// How long it took, by whom it is answered, and a scale.
	head(r, y, { w, left, scale, css, most }, seen) {
		const e = this.row(`${r.id} head`, seen, () => ({ g: svg("g") })),
			first = r.hops[0];
		const title = `${measure(r.total, "ns")}${r.node ? ` on ${r.node}` : ""}: ${first.what}`;
		const parts = [
			svg("text", { x: 6, y: y + 14, fill: css.fg, "font-weight": 600 }, brief(title, Math.floor((left - 12) / CHAR))),
			svg("line", { x1: left, x2: w - 10, y1: y + HEAD - 5, y2: y + HEAD - 5, stroke: css.edge }),
		];
		const step = niceSteps("ns").find((s) => s * scale > 70) ?? most;
		for (let t = 0; t <= most; t += step) {
			const x = left + t * scale;
			parts.push(svg("line", { x1: x, x2: x, y1: y + HEAD - 9, y2: y + HEAD + r.hops.length * ROW, stroke: css.edge, "stroke-dasharray": "2 3" }));
			if (x < w - 50) parts.push(svg("text", { x: x + 3, y: y + HEAD - 11, fill: css.dim, "font-size": 10 }, measure(t, "ns")));
		}
		e.g.replaceChildren(...parts);
	}

	text(r, hop) {
		const own = hop.own.reduce((s, [a, b]) => s + b - a, 0),
			time = (n) => measure(n, "ns") || "0";
		return `${tame(hop.process, 120)}${hop.name === hop.process ? "" : ` ${tame(hop.name, 120)}`}: ${tame(hop.what, 200)} → ${tame(hop.reply || "no reply seen", 200)}; asked at ${time(hop.at)}, waited ${time(hop.wait)}, ran ${time(hop.run)}, ${time(own)} of it itself`;
	}

	hop(r, hop, i, y, { left, scale, css }, seen) {
		const e = this.row(`${r.id} ${i}`, seen, () => this.bar()),
			dark = isDark();
		Object.assign(e, { r, hop });
		const text = this.text(r, hop),
			indent = 10 + Math.min(hop.depth, 12) * 14,
			x = (t) => left + t * scale;
		const box = (from, to, fill) =>
			svg("rect", { x: x(from).toFixed(2), y: y + 4, width: Math.max(0.8, (to - from) * scale).toFixed(2), height: ROW - 8, rx: 2, fill });
		const label = `${hop.name}  ${hop.what}`;
		e.g.setAttribute("aria-label", text);
		e.title.textContent = text;
		for (const [k, v] of Object.entries({ x: 2, y, width: left + this.scroller.clientWidth, height: ROW })) e.ground.setAttribute(k, v);
		e.body.replaceChildren(
			svg("text", { x: indent, y: y + 15, fill: css.fg }, brief(label, Math.max(4, Math.floor((left - indent - 8) / CHAR)))),
			...(hop.wait ? [box(hop.at, hop.at + hop.wait, dark ? "#6b7482" : "#a9adb4")] : []),
			...(hop.run ? [box(hop.at + hop.wait, hop.at + hop.wait + hop.run, dark ? "#24507a" : "#b9d6ef")] : []),
			...hop.own.map(([a, b]) => box(a, b, css.accent)),
		);
	}

	bar() {
		// The pointer is on the ground, which stays. If it were on a part that the next drawing replaces, nobody would be
		// told that it leaves.
		const e = {
			title: svg("title"),
			ground: svg("rect", { class: "ground", fill: "transparent" }),
			body: svg("g", { "pointer-events": "none" }),
		};
		e.g = svg("g", { role: "button", class: "hop" }, e.title, e.ground, e.body);
		e.g.addEventListener("keydown", (k) => this.walk(k, e));
		const over = () => {
			this.over = e;
			this.note.textContent = this.text(e.r, e.hop);
		};
		const out = () => {
			this.over = null;
			this.note.textContent = this.summary;
		};
		for (const [type, f] of [
			["pointerenter", over],
			["focus", over],
			["click", over],
			["pointerleave", out],
			["blur", out],
		])
			e.g.addEventListener(type, f);
		return e;
	}

	// Up and down from row to row; Page up and down from request to request; Home and End.
	walk(k, e) {
		const all = [...this.svg.querySelectorAll(".hop")],
			at = all.indexOf(e.g),
			of = (g) => [...this.rows.values()].find((x) => x.g === g)?.r;
		let to = null;
		if (k.key === "ArrowDown") to = all[at + 1];
		else if (k.key === "ArrowUp") to = all[at - 1];
		else if (k.key === "PageDown") to = all.slice(at).find((g) => of(g) !== e.r);
		else if (k.key === "PageUp") {
			const before = all.slice(0, at).reverse().find((g) => of(g) !== e.r);
			to = before && all.find((g) => of(g) === of(before));
		} else if (k.key === "Home") to = all[0];
		else if (k.key === "End") to = all.at(-1);
		else return;
		k.preventDefault();
		k.stopPropagation();
		to?.focus();
		to?.scrollIntoView({ block: "nearest" });
	}

	toSvg() {
		if (!this.list.length) return null;
		const copy = this.svg.cloneNode(true);
		for (const [k, v] of [
			["xmlns", "http://www.w3.org/2000/svg"],
			["font-family", "system-ui, sans-serif"],
			["font-size", "12"],
		])
			copy.setAttribute(k, v);
		copy.prepend(svg("rect", { width: copy.getAttribute("width"), height: copy.getAttribute("height"), fill: this.ground }));
		return copy;
	}
}
