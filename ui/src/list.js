// The list: aggregations by key as a table that sorts, filters and folds. For a distribution it shows percentiles
// instead of a value.
import { h, button, full, plural, tame, theme, sized } from "./dom.js";
import { guess, measure } from "./units.js";
import { SPARK, percentile } from "./store.js";
import { sheet } from "./sheet.js";

const ROWS = 500,
	LINE = { w: 90, h: 18 };

export class List {
	constructor(app) {
		Object.assign(this, { app, sort: "value", down: true, filter: "", folded: new Set(), rows: [] });
		this.body = h("tbody");
		this.head = h("tr");
		this.note = h("p", { class: "note" });
		this.search = h("input", {
			type: "search",
			placeholder: "filter keys",
			"aria-label": "Filter keys",
			oninput: () => this.put({ filter: this.search.value.toLowerCase() }),
		});
		this.el = h(
			"div",
			{ class: "view list" },
			h(
				"div",
				{ class: "bar" },
				this.search,
				button("Fold", "Fold all keys", () => this.foldAll(true)),
				button("Unfold", "Unfold all keys", () => this.foldAll(false)),
			),
			h(
				"div",
				{ class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of keys" },
				h("table", {}, h("thead", {}, this.head), this.body),
			),
			this.note,
		);
	}

	put(what) {
		Object.assign(this, what);
		this.draw();
	}

	settings() {
		return { sort: this.sort, down: this.down, filter: this.filter };
	}

	restore(s) {
		if (["key", "value", "rate", "share", "count", "p50", "p99", "max"].includes(s.sort)) this.sort = s.sort;
		this.down = s.down !== false;
		this.filter = this.search.value = typeof s.filter === "string" ? s.filter.slice(0, 200) : "";
	}

	forget() {
		this.folded.clear();
	}

	agg() {
		return this.app.agg((a) => a.id === this.app.chosen) || this.app.agg((a) => !a.isDistribution) || this.app.agg(() => true);
	}

	columns(agg) {
		const value = agg.isDistribution
			? [
					["p50", "p50"],
					["p99", "p99"],
					["max", "max"],
				]
			: [["value", agg.fn]];
		return [["key", "key"], ...value, ["rate", `${agg.unit}/s`], ["share", "share"], ["count", "events"], [null, `last ${SPARK}`]];
	}

	header(agg) {
		const cols = this.columns(agg),
			want = JSON.stringify([cols, this.sort, this.down]);
		if (this.headed === want) return;
		if (cols.length !== this.head.cells.length) this.body.replaceChildren();
		this.headed = want;
		this.head.replaceChildren(
			...cols.map(([id, text]) => {
				const on = id === this.sort,
					order = on ? (this.down ? "descending" : "ascending") : "none";
				const press = () => this.put(on ? { down: !this.down } : { sort: id, down: id !== "key" });
				return h(
					"th",
					{ scope: "col", "aria-sort": id ? order : null, class: id === "key" ? "left" : "" },
					id
						? h(
								"button",
								{ type: "button", onclick: press },
								text,
								h("span", { "aria-hidden": "true" }, on ? (this.down ? " ▾" : " ▴") : ""),
							)
						: text,
				);
			}),
		);
	}

	// A tree by the parts of keys.
	tree(agg) {
		const root = { kids: new Map(), name: "", path: "", elems: [] };
		for (const e of agg.elems) {
			if (!e.count || (this.filter && !e.text.toLowerCase().includes(this.filter))) continue;
			let at = root;
			for (const part of e.parts.length ? e.parts : ["(no key)"]) {
				let kid = at.kids.get(part);
				if (!kid) at.kids.set(part, (kid = { kids: new Map(), name: part, path: `${at.path}\u0000${part}`, elems: [] }));
				kid.elems.push(e);
				at = kid;
			}
		}
		return root;
	}

	// How values of several keys become one: "sum", "mean", "min" or "max".
	foldOf(agg) {
		return this.app.hello?.aggregations.find((a) => a.name === agg.fn)?.fold || "sum";
	}

	// The sum of the elements below a row.
	sum(agg, node) {
		const fold = this.foldOf(agg);
		const out = { value: 0, rate: 0, count: 0, weight: 0, spark: new Float64Array(SPARK) };
		node.elems.forEach((e, i) => {
			if (fold === "min" || fold === "max") out.value = i ? Math[fold](out.value, e.value) : e.value;
			else if (fold === "mean") out.value = (out.value * out.count + e.value * e.count) / (out.count + e.count);
			else out.value += e.value;
			out.rate += e.rate;
			out.count += e.count;
			out.weight += agg.weight(e);
			for (let j = 0; j < SPARK; j++) out.spark[j] += e.spark[j];
		});
		if (agg.isDistribution) this.spread(agg, node, out);
		return Object.assign(node, out);
	}

	spread(agg, node, out) {
		const b = new Float64Array(agg.bounds.length);
		for (const e of node.elems) e.buckets?.forEach((n, i) => (b[i] += n));
		for (const [name, p] of [
			["p50", 0.5],
			["p99", 0.99],
			["max", 1],
		]) {
			const j = percentile(b, p);
			out[name] = j < 0 ? 0 : agg.bounds[j][1] === null ? Infinity : agg.bounds[j][1] + 1;
		}
		out.value = out.count;
	}

	draw() {
		const agg = this.agg();
		if (!agg) {
			this.body.replaceChildren();
			this.head.replaceChildren();
			this.headed = null;
			this.rows = [];
			this.note.textContent = this.app.waiting("This script has no aggregation yet: @name[key] = count() makes one.");
			return;
		}
		this.header(agg);
		this.rows = this.order(agg);
		const css = theme(),
			unit = guess(agg, this.app.run?.info?.script);
		while (this.body.rows.length > Math.min(this.rows.length, ROWS)) this.body.deleteRow(-1);
		this.rows.slice(0, ROWS).forEach(([k, depth], i) => this.row(i, k, depth, agg, css.accent, unit));
		const approx =
			agg.fn === "stddev" && this.rows.some(([k]) => k.elems.length > 1) ? " A folded row has the mean of its deviations." : "";
		this.note.textContent = `${agg.label} ${agg.fn}(): ${plural(this.rows.length, "row")}${this.rows.length > ROWS ? `, the first ${ROWS} shown; filter to see others` : ""}.${approx}`;
	}

	order(agg) {
		const rows = [],
			has = this.columns(agg).some(([id]) => id === this.sort),
			by = has ? this.sort : agg.isDistribution ? "count" : "value";
		let total = 0;
		const less = (a, b) =>
			(by === "key" ? a.name.localeCompare(b.name, "en", { numeric: true }) : a[by] === b[by] ? 0 : a[by] - b[by]) *
			(this.down ? -1 : 1);
		const level = (node, depth) => {
			const kids = [...node.kids.values()].map((k) => this.sum(agg, k));
			if (!depth) total = kids.reduce((s, k) => s + k.weight, 0) || 1;
			for (const k of kids) k.share = k.weight / total;
			kids.sort((a, b) => less(a, b) || (a.name < b.name ? -1 : 1));
			for (const k of kids) {
				rows.push([k, depth]);
				if (k.kids.size && !this.folded.has(k.path)) level(k, depth + 1);
			}
		};
		level(this.tree(agg), 0);
		return rows;
	}

	cells(k, agg, unit) {
		const big = (v) => (v === Infinity ? "open" : measure(v, unit));
		const values = agg.isDistribution ? [big(k.p50), big(k.p99), big(k.max)] : [full(+k.value.toFixed(this.foldOf(agg) === "mean" ? 1 : 0))];
		return [...values, measure(k.rate, agg.fn === "sum" ? unit : ""), `${(k.share * 100).toFixed(1)} %`, full(k.count)];
	}

	row(i, k, depth, agg, colour, unit) {
		let tr = this.body.rows[i];
		const texts = this.cells(k, agg, unit);
		if (!tr) {
			tr = this.body.insertRow();
			tr.append(
				h("td", { class: "left" }, h("button", { type: "button", class: "fold", onclick: () => this.fold(tr.path) }), h("span")),
				...texts.map(() => h("td")),
				h("td", {}, h("canvas", { role: "img" })),
			);
		}
		tr.path = k.path;
		const fold = tr.cells[0].firstChild,
			shut = this.folded.has(k.path),
			line = tr.cells[texts.length + 1].firstChild;
		tr.cells[0].style.paddingLeft = `${8 + depth * 18}px`;
		fold.textContent = k.kids.size ? (shut ? "▸" : "▾") : "";
		fold.hidden = !k.kids.size;
		fold.setAttribute("aria-expanded", String(!shut));
		fold.setAttribute("aria-label", `${shut ? "unfold" : "fold"} ${tame(k.name, 60)}`);
		tr.cells[0].lastChild.textContent = tame(k.name, 200);
		tr.cells[0].title = tame(k.name, 2000);
		texts.forEach((t, j) => (tr.cells[j + 1].textContent = t));
		if (!agg.isDistribution && unit) tr.cells[1].title = measure(k.value, unit);
		const share = tr.cells[texts.length - 1];
		share.className = "bar-cell";
		share.style.backgroundSize = `${(k.share * 100).toFixed(1)}% 100%`;
		this.spark(line, k.spark, agg.place, colour);
	}

	spark(canvas, values, place, colour) {
		const c = sized(canvas, LINE.w, LINE.h),
			step = LINE.w / SPARK;
		let max = 0;
		for (const v of values) if (v > max) max = v;
		c.clearRect(0, 0, LINE.w, LINE.h);
		c.fillStyle = colour;
		for (let j = 0; max && j < SPARK; j++) {
			const tall = (values[(place + 1 + j) % SPARK] / max) * LINE.h;
			if (tall > 0) c.fillRect(j * step, LINE.h - Math.max(1, tall), step * 0.8, Math.max(1, tall));
		}
		canvas.setAttribute("aria-label", `now ${full(Math.round(values[place]))}, at most ${full(Math.round(max))} in an interval`);
	}

	fold(path) {
		if (!this.folded.delete(path)) this.folded.add(path);
		this.draw();
	}

	foldAll(shut) {
		const walk = (n) => {
			for (const k of n.kids.values())
				if (k.kids.size) {
					if (shut) this.folded.add(k.path);
					walk(k);
				}
		};
		this.folded.clear();
		const agg = this.agg();
		if (agg && shut) walk(this.tree(agg));
		this.draw();
	}

	toSvg() {
		const agg = this.agg();
		if (!agg) return null;
		const unit = guess(agg, this.app.run?.info?.script),
			titles = this.columns(agg)
				.slice(0, -1)
				.map(([, t]) => t);
		return sheet(
			titles,
			this.rows.slice(0, ROWS).map(([k, depth]) => [`${"\u00a0".repeat(depth * 4)}${tame(k.name, 60)}`, ...this.cells(k, agg, unit)]),
		);
	}
}
