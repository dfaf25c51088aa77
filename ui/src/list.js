// The list: aggregations by key as a table that sorts, filters and folds.
import { h, short, full, tame, css, sized } from "./dom.js";

const ROWS = 500;

export class List {
	constructor(app) {
		Object.assign(this, { app, sort: "value", down: true, filter: "", folded: new Set() });
		this.body = h("tbody");
		this.head = h("tr");
		this.note = h("p", { class: "dim" });
		this.el = h("div", { class: "view list" },
			h("div", { class: "bar" }, h("input", { type: "search", placeholder: "filter keys", "aria-label": "Filter keys", oninput: (e) => { this.filter = e.target.value.toLowerCase(); this.draw(); } })),
			h("div", { class: "scroll" }, h("table", {}, h("thead", {}, this.head), this.body)), this.note);
	}

	agg() { return this.app.agg((a) => !a.isDistribution); }

	header(agg) {
		const cols = [["key", "key"], ["value", agg.fn], ["rate", `${agg.unit}/s`], ["share", "share"], ["count", "events"], [null, "last 60"]];
		const want = cols.map((c) => c.join()).join() + this.sort + this.down;
		if (this.headed === want) return;
		this.headed = want;
		this.head.replaceChildren(...cols.map(([id, text]) => h("th", { scope: "col", "aria-sort": id === this.sort ? (this.down ? "descending" : "ascending") : "none", class: id === "key" ? "left" : "" },
			id ? h("button", { type: "button", onclick: () => { if (this.sort === id) this.down = !this.down; else { this.sort = id; this.down = id !== "key"; } this.draw(); } }, text, id === this.sort ? (this.down ? " ▾" : " ▴") : "") : text)));
	}

	// Rows of a tree by the elements of keys; a level with one key is one row.
	tree(agg) {
		const root = { kids: new Map(), name: "", path: "" };
		for (const e of agg.elems) {
			if (!e.count && !e.delta) continue;
			if (this.filter && !e.text.toLowerCase().includes(this.filter)) continue;
			let at = root;
			const parts = e.parts.length ? e.parts : ["(no key)"];
			for (const part of parts) {
				let kid = at.kids.get(part);
				if (!kid) at.kids.set(part, (kid = { kids: new Map(), name: part, path: `${at.path}\u0000${part}`, elems: [] }));
				kid.elems.push(e);
				at = kid;
			}
		}
		return root;
	}

	sum(agg, node) {
		const out = { value: 0, rate: 0, count: 0, spark: null };
		const many = node.elems.length > 1;
		if (!many) {
			const e = node.elems[0];
			return Object.assign(node, { value: e.value, rate: e.rate, count: e.count, spark: e.spark });
		}
		out.spark = new Float64Array(60);
		let weight = 0;
		for (const e of node.elems) {
			out.rate += e.rate;
			out.count += e.count;
			for (let i = 0; i < 60; i++) out.spark[i] += e.spark[i];
			if (agg.fn === "min") out.value = weight ? Math.min(out.value, e.value) : e.value;
			else if (agg.fn === "max") out.value = weight ? Math.max(out.value, e.value) : e.value;
			else if (agg.fn === "avg" || agg.fn === "stddev") out.value = (out.value * weight + e.value * e.count) / Math.max(1, weight + e.count);
			else out.value += e.value;
			weight += agg.fn === "avg" || agg.fn === "stddev" ? e.count : 1;
		}
		return Object.assign(node, out);
	}

	draw() {
		const agg = this.agg();
		if (!agg) {
			this.body.replaceChildren();
			this.head.replaceChildren();
			this.headed = null;
			this.note.textContent = this.app.waiting("This script has no count(), sum(), avg(), min() or max() yet.");
			return;
		}
		this.header(agg);
		const root = this.tree(agg), rows = [];
		let total = 0;
		const level = (node, depth) => {
			const kids = [...node.kids.values()].map((k) => this.sum(agg, k));
			if (!depth) total = kids.reduce((s, k) => s + (agg.fn === "count" || agg.fn === "sum" ? k.value : k.count), 0);
			for (const k of kids) k.share = (agg.fn === "count" || agg.fn === "sum" ? k.value : k.count) / (total || 1);
			kids.sort((a, b) => (this.sort === "key" ? a.name.localeCompare(b.name, "en", { numeric: true }) : a[this.sort] - b[this.sort]) * (this.down ? -1 : 1) || (a.name < b.name ? -1 : 1));
			for (const k of kids) {
				rows.push([k, depth]);
				if (k.kids.size && !this.folded.has(k.path)) level(k, depth + 1);
			}
		};
		level(root, 0);
		this.rows = rows;
		const spark = css("--accent");
		while (this.body.rows.length > Math.min(rows.length, ROWS)) this.body.deleteRow(-1);
		rows.slice(0, ROWS).forEach(([k, depth], i) => this.row(i, k, depth, agg, spark));
		this.note.textContent = `${full(rows.length)} rows${rows.length > ROWS ? `, the first ${ROWS} shown` : ""}`;
	}

	row(i, k, depth, agg, colour) {
		let tr = this.body.rows[i];
		if (!tr) {
			tr = this.body.insertRow();
			tr.append(h("td", { class: "left" }, h("button", { type: "button", class: "fold", onclick: () => this.fold(tr.path) }), h("span")), ...Array.from({ length: 4 }, () => h("td")), h("td", {}, h("canvas", { "aria-hidden": "true" })));
		}
		tr.path = k.path;
		const [key, value, rate, share, count, line] = tr.cells, fold = key.firstChild;
		key.style.paddingLeft = `${8 + depth * 18}px`;
		fold.textContent = k.kids.size ? (this.folded.has(k.path) ? "▸" : "▾") : "";
		fold.hidden = !k.kids.size;
		fold.setAttribute("aria-label", `${this.folded.has(k.path) ? "unfold" : "fold"} ${tame(k.name, 60)}`);
		key.lastChild.textContent = tame(k.name, 200);
		value.textContent = full(Math.round(k.value));
		rate.textContent = short(k.rate);
		share.textContent = `${(k.share * 100).toFixed(1)} %`;
		count.textContent = full(k.count);
		const c = sized(line.firstChild, 90, 18), max = Math.max(1, ...k.spark);
		c.clearRect(0, 0, 90, 18);
		c.fillStyle = colour;
		for (let j = 0; j < 60; j++) {
			const v = k.spark[(agg.at + 1 + j) % 60] / max;
			if (v > 0) c.fillRect(j * 1.5, 18 - Math.max(1, v * 18), 1.2, Math.max(1, v * 18));
		}
	}

	fold(path) {
		if (!this.folded.delete(path)) this.folded.add(path);
		this.draw();
	}
}
