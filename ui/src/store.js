// What the page knows of a running script: its aggregations now, and how they came to be so, a
// column an interval. Frames carry numbers since the start; columns hold what was added in between.

const KEEP_MS = 30 * 60 * 1000;
const DETAIL = 12e6; // entries of key × bucket over all columns
const LOG = 5000;
const SPARK = 60;

export const DISTRIBUTIONS = new Set(["quantize", "lquantize", "llquantize"]);

function partText(k) {
	if (k && typeof k === "object") return k.stack ? k.stack.join(" ") : `0x${k.bytes}`;
	return String(k);
}

class Element {
	constructor(index, keys) {
		this.index = index;
		this.keys = keys;
		this.parts = keys.map(partText);
		this.text = this.parts.join(" · ");
		this.value = 0;
		this.count = 0;
		this.buckets = null;
		this.spark = new Float64Array(SPARK);
		this.delta = 0;
		this.rate = 0;
	}
}

export class Aggregation {
	constructor(id, name, fn) {
		Object.assign(this, { id, name, fn, bounds: [], elems: [], byKey: new Map(), columns: [], detail: 0 });
		this.isDistribution = DISTRIBUTIONS.has(fn);
		this.at = 0; // place in the sparklines
	}

	get label() {
		return `@${this.name}`;
	}

	// How much an element has in a column: what is counted, or summed.
	get unit() {
		return this.fn === "sum" ? "sum" : "count";
	}

	// quietly: numbers from before this page looked, which belong to no column.
	update(frame, elems, quietly) {
		const size = this.isDistribution ? this.bounds.length : 1;
		const col = { time: frame.time, span: frame.span, merged: new Float64Array(size), total: 0, k: null, b: null, n: null, keys: new Uint32Array(elems.length), sums: new Float64Array(elems.length), cache: null };
		let cap = 0;
		for (const e of elems) cap += this.isDistribution ? (e[3].length >> 1) : 1;
		const k = new Uint32Array(cap), b = new Uint16Array(cap), n = new Float64Array(cap);
		let used = 0, row = 0;
		this.at = (this.at + 1) % SPARK;
		for (const e of this.elems) {
			e.spark[this.at] = 0;
			e.delta = e.rate = 0;
		}
		for (const [keys, value, count, buckets] of elems) {
			const id = JSON.stringify(keys);
			let el = this.byKey.get(id);
			if (!el) {
				el = new Element(this.elems.length, keys);
				this.elems.push(el);
				this.byKey.set(id, el);
			}
			// A script that clears its aggregations begins again from nothing.
			const again = count < el.count;
			const num = Number(value);
			let delta = this.fn === "sum" && !again ? num - el.value : count - (again ? 0 : el.count);
			if (this.fn === "sum" && again) delta = num;
			if (this.isDistribution) {
				const was = el.buckets && el.buckets.length === size && !again ? el.buckets : null;
				const now = new Float64Array(size);
				for (let i = 0; i < buckets.length; i += 2) {
					const at = buckets[i], d = buckets[i + 1] - (was ? was[at] : 0);
					now[at] = buckets[i + 1];
					if (d > 0) {
						k[used] = el.index;
						b[used] = at;
						n[used++] = d;
						col.merged[at] += d;
						col.total += d;
					}
				}
				el.buckets = now;
			} else if (delta > 0) {
				k[used] = el.index;
				n[used++] = delta;
				col.merged[0] += delta;
				col.total += delta;
			}
			col.keys[row] = el.index;
			col.sums[row++] = Math.max(0, delta);
			el.delta = delta;
			el.rate = delta / (frame.span || 1);
			el.spark[this.at] = Math.max(0, delta);
			el.value = num;
			el.count = count;
		}
		if (quietly) {
			for (const e of this.elems) e.delta = e.rate = e.spark[this.at] = 0;
			return;
		}
		col.k = k.slice(0, used);
		col.b = b.slice(0, used);
		col.n = n.slice(0, used);
		this.columns.push(col);
		this.detail += used;
		this.trim(frame.time);
	}

	trim(now) {
		let gone = 0;
		while (gone < this.columns.length && this.columns[gone].time < now - KEEP_MS) {
			if (this.columns[gone].k) this.detail -= this.columns[gone].k.length;
			gone++;
		}
		if (gone) this.columns.splice(0, gone);
		for (let i = 0; this.detail > DETAIL && i < this.columns.length - 1; i++) {
			const c = this.columns[i];
			if (!c.k) continue;
			this.detail -= c.k.length;
			c.k = c.b = c.n = c.cache = null;
		}
	}

	// The buckets of a column for one key (an index), or all (null).
	buckets(col, key) {
		if (key === null || key === undefined) return col.merged;
		if (!col.k) return new Float64Array(col.merged.length);
		if (!col.cache) col.cache = new Map();
		let a = col.cache.get(key);
		if (!a) {
			if (col.cache.size > 16) col.cache.clear();
			a = new Float64Array(col.merged.length);
			for (let i = 0; i < col.k.length; i++) if (col.k[i] === key) a[col.b[i]] += col.n[i];
			col.cache.set(key, a);
		}
		return a;
	}

	// What each key has in columns from … to, and in buckets lo … hi: [[element, n], …], largest first.
	share(from, to, lo = 0, hi = Infinity) {
		const sums = new Float64Array(this.elems.length), all = lo === 0 && hi === Infinity;
		for (let c = Math.max(0, from); c <= to && c < this.columns.length; c++) {
			const col = this.columns[c];
			if (all) for (let i = 0; i < col.keys.length; i++) sums[col.keys[i]] += col.sums[i];
			else if (col.k) for (let i = 0; i < col.k.length; i++) if (col.b[i] >= lo && col.b[i] <= hi) sums[col.k[i]] += col.n[i];
		}
		const out = [];
		for (let k = 0; k < sums.length; k++) if (sums[k] > 0) out.push([this.elems[k], sums[k]]);
		return out.sort((x, y) => y[1] - x[1]);
	}
}

// The value below which a share p of the counts lies: the upper bound of its bucket.
export function percentile(buckets, total, p) {
	let sum = 0, last = -1;
	for (let i = 0; i < buckets.length; i++) {
		if (!buckets[i]) continue;
		sum += buckets[i];
		last = i;
		if (sum >= total * p) return i;
	}
	return last;
}

export class Run {
	constructor(id) {
		Object.assign(this, { id, aggs: new Map(), log: [], lost: 0, info: null, status: null, frames: 0, last: 0 });
	}

	frame(f) {
		const quietly = this.frames === 0 && f.seq > 1;
		// A page that was slow gets several intervals at once.
		if (this.time) f.span = Math.max(0.001, (f.time - this.time) / 1000);
		this.time = f.time;
		const given = new Map(f.aggs.map((a) => [a.id, a]));
		for (const a of f.aggs) {
			let agg = this.aggs.get(a.id);
			if (!agg) this.aggs.set(a.id, (agg = new Aggregation(a.id, a.name, a.fn)));
			if (a.bounds) agg.bounds = a.bounds;
		}
		for (const agg of this.aggs.values()) {
			const a = given.get(agg.id);
			if (f.whole && agg.elems.length) this.forget(agg, a ? a.elems : []);
			agg.update(f, a ? a.elems : [], quietly);
		}
		this.status = f.status;
		this.frames++;
		this.last = f.seq;
	}

	// Elements that a whole frame has not are gone from the script's state; their past stays.
	forget(agg, elems) {
		const here = new Set(elems.map((e) => JSON.stringify(e[0])));
		for (const [id, el] of agg.byKey)
			if (!here.has(id)) {
				el.value = el.count = 0;
				el.buckets = null;
			}
	}

	lines(m) {
		this.lost += m.lost;
		const now = Date.now();
		for (const l of m.lines) this.log.push({ ...l, time: now });
		if (this.log.length > LOG) this.log.splice(0, this.log.length - LOG);
	}
}
