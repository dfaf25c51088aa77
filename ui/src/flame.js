// The flame graph: stacks, or keys of several elements, as a tree of widths.
import { h, svg, select, button, full, tame } from "./dom.js";

const ROW = 20, LEAST = 0.4;

// Frames of a key, outermost first.
export function frames(e) {
	const out = [];
	for (const [i, k] of e.keys.entries()) {
		if (k && typeof k === "object" && k.stack) out.push(...[...k.stack].reverse());
		else if (typeof k === "string" && /\n/.test(k.trim())) out.push(...k.trim().split("\n").map((l) => l.trim()).reverse());
		else out.push(e.parts[i]);
	}
	return out.length ? out : ["(no key)"];
}

export class Flame {
	constructor(app) {
		Object.assign(this, { app, span: "all", diff: false, find: "", path: [] });
		this.svg = svg("svg", { role: "group", "aria-label": "flame graph", class: "flame" });
		this.note = h("p", { class: "dim" });
		this.box = h("div", { class: "scroll flames" }, this.svg);
		this.el = h("div", { class: "view" },
			h("div", { class: "bar" },
				h("label", {}, "time ", select("Span of time", [["all", "since the start"], ["10", "last 10 s"], ["60", "last minute"], ["300", "last 5 minutes"]], this.span, (v) => { this.span = v; this.draw(); })),
				h("label", {}, h("input", { type: "checkbox", onchange: (e) => { this.diff = e.target.checked; this.draw(); } }), " difference to the span before"),
				h("input", { type: "search", placeholder: "search frames", "aria-label": "Search frames", oninput: (e) => { this.find = e.target.value.toLowerCase(); this.draw(); } }),
				button("Whole", "Zoom out to the whole (Escape)", () => { this.path = []; this.draw(); })),
			this.box, this.note);
	}

	key_(e) {
		if (e.key !== "Escape") return false;
		this.path = [];
		this.draw();
		return true;
	}

	agg() {
		const stacks = (a) => !a.isDistribution && a.elems.some((e) => e.keys.some((k) => k && k.stack) || e.keys.length > 2);
		return this.app.agg(stacks) || this.app.agg((a) => !a.isDistribution);
	}

	// [[element, now, before], …]
	values(agg) {
		if (this.span === "all") return agg.elems.filter((e) => e.value > 0).map((e) => [e, e.value, 0]);
		const ms = Number(this.span) * 1000, end = agg.columns.at(-1)?.time || 0;
		const sums = new Map();
		for (const col of agg.columns) {
			const age = end - col.time, slot = age < ms ? 0 : age < 2 * ms ? 1 : -1;
			if (slot < 0 || !col.k) continue;
			for (let i = 0; i < col.k.length; i++) {
				const at = sums.get(col.k[i]) || [0, 0];
				at[slot] += col.n[i];
				sums.set(col.k[i], at);
			}
		}
		return [...sums].map(([k, [a, b]]) => [agg.elems[k], a, b]);
	}

	tree(agg) {
		const root = { name: "all", kids: new Map(), now: 0, before: 0 };
		for (const [e, now, before] of this.values(agg)) {
			let at = root;
			root.now += now;
			root.before += before;
			for (const f of frames(e)) {
				let kid = at.kids.get(f);
				if (!kid) at.kids.set(f, (kid = { name: f, kids: new Map(), now: 0, before: 0 }));
				kid.now += now;
				kid.before += before;
				at = kid;
			}
		}
		return root;
	}

	draw() {
		const agg = this.agg();
		this.svg.replaceChildren();
		if (!agg) {
			this.note.textContent = this.app.waiting("Key an aggregation by stack() or by several keys to see a flame graph.");
			return;
		}
		const root = this.tree(agg), w = Math.max(300, this.box.clientWidth - 4);
		let at = root, depth = 0, matched = 0, deepest = 0;
		const zoomed = [root];
		for (const name of this.path) {
			if (!at.kids.has(name)) break;
			at = at.kids.get(name);
			zoomed.push(at);
		}
		const width = (n) => (this.diff ? n.now + n.before : n.now);
		const put = (node, x, wid, row, path) => {
			if (wid < LEAST) return;
			deepest = Math.max(deepest, row);
			const hit = this.find && node.name.toLowerCase().includes(this.find);
			if (hit) matched += node.now;
			const text = `${tame(node.name, 200)}: ${full(Math.round(node.now))} (${((node.now / (root.now || 1)) * 100).toFixed(1)} %)${this.diff ? `, before: ${full(Math.round(node.before))}` : ""}`;
			const g = svg("g", { tabindex: "0", role: "button", "aria-label": text, class: hit ? "hit" : "" }, svg("title", {}, text),
				svg("rect", { x: x.toFixed(2), y: row * ROW, width: Math.max(0.3, wid - 0.6).toFixed(2), height: ROW - 1.5, rx: 2, fill: this.colour(node, root) }));
			if (wid > 30) g.append(svg("text", { x: (x + 4).toFixed(2), y: row * ROW + 13 }, tame(node.name, Math.max(2, Math.floor((wid - 8) / 6.6))).replace(/… \(.*$/, "…")));
			const zoom = () => { this.path = path; this.draw(); };
			g.addEventListener("click", zoom);
			g.addEventListener("keydown", (e) => { if (e.key === "Enter") zoom(); });
			this.svg.append(g);
		};
		for (const n of zoomed) put(n, 0, w, depth++, this.path.slice(0, depth - 1));
		const level = (node, x, wid, row, path) => {
			const all = width(node) || 1;
			let left = x;
			for (const kid of [...node.kids.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
				const kw = (width(kid) / all) * wid, kp = [...path, kid.name];
				put(kid, left, kw, row, kp);
				if (kw >= LEAST) level(kid, left, kw, row + 1, kp);
				left += kw;
			}
		};
		level(at, 0, w, depth, this.path.slice(0, zoomed.length - 1));
		this.svg.setAttribute("width", w);
		this.svg.setAttribute("height", (deepest + 1) * ROW + 4);
		this.note.textContent = `${agg.label}: ${full(Math.round(root.now))} in all${this.find ? `, ${((matched / (root.now || 1)) * 100).toFixed(1)} % in frames that match` : ""}`;
		this.root = root;
	}

	colour(node, root) {
		if (this.diff) {
			const a = node.now / (root.now || 1), b = node.before / (root.before || 1), d = Math.max(-1, Math.min(1, (a - b) * 6));
			return d >= 0 ? `hsl(28 ${Math.round(30 + 70 * d)}% ${Math.round(72 - 20 * d)}%)` : `hsl(205 ${Math.round(30 - 60 * d)}% ${Math.round(72 + 20 * d)}%)`;
		}
		let x = 0;
		for (let i = 0; i < node.name.length && i < 64; i++) x = (x * 31 + node.name.charCodeAt(i)) & 0xffff;
		return `hsl(${30 + (x % 22)} ${55 + (x % 30)}% ${62 + (x % 12)}%)`;
	}

	toSvg() {
		const copy = this.svg.cloneNode(true);
		copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
		copy.setAttribute("font-family", "sans-serif");
		copy.setAttribute("font-size", "11");
		return copy;
	}
}
