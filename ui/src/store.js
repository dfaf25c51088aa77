// What the page knows about a running script: its aggregations now, and their history, one column per interval. Frames
// carry numbers since the start; columns hold what was added in between.

const KEEP_MS = 30 * 60 * 1000;
const DETAIL = 12e6; // entries of key × bucket over all columns of an aggregation, 6 bytes each
const LOG = 5000;
export const SPARK = 60;


function partText(k) {
	if (k && typeof k === "object") return k.stack ? k.stack.join(" ") : `0x${k.bytes}`;
	return String(k);
}

class Element {
	constructor(index, keys) {
		Object.assign(this, { index, keys, value: 0, count: 0, delta: 0, rate: 0, buckets: null });
		this.parts = keys.map(partText);
		this.text = this.parts.join(" · ");
		this.spark = new Float64Array(SPARK);
	}
}

// One interval of an aggregation. Row r belongs to element keys[r], which got sums[r]. For a distribution its entries
// are at[r] … at[r + 1]: bucket b[i] got n[i]. Without `at` only the sums are left.
class Column {
	constructor(frame, size, rows) {
		Object.assign(this, { time: frame.time, span: frame.span, total: 0, at: null, b: null, n: null });
		this.merged = new Float64Array(size);
		this.keys = new Uint32Array(rows);
		this.sums = new Float64Array(rows);
	}

	add(bucket, n) {
		this.merged[bucket] += n;
		this.total += n;
	}

	get detail() {
		return this.b ? this.b.length : 0;
	}

	// Adds what an element has in each bucket.
	addTo(sums, key) {
		if (!this.at) return;
		const r = this.keys.indexOf(key);
		if (r >= 0) for (let i = this.at[r]; i < this.at[r + 1]; i++) sums[this.b[i]] += this.n[i];
	}
}

export class Aggregation {
	constructor(id, name, fn) {
		Object.assign(this, { id, name, fn, bounds: [], elems: [], byKey: new Map(), columns: [], detail: 0 });
		this.place = 0; // index in the sparklines
		this.low = Infinity; // buckets that ever had something
		this.high = -1;
	}

	get label() {
		return `@${this.name}`;
	}

	// The server gives bounds to these only, and before their first element.
	get isDistribution() {
		return this.bounds.length > 0;
	}

	// What a column counts for an element: events, or sums.
	get unit() {
		return this.fn === "sum" ? "sum" : "events";
	}

	// What shares are computed from: sums if it is a sum, otherwise events.
	weight(e) {
		return this.fn === "sum" ? Math.max(0, e.value) : e.count;
	}

	element(keys) {
		const id = JSON.stringify(keys);
		let e = this.byKey.get(id);
		if (!e) {
			e = new Element(this.elems.length, keys);
			this.elems.push(e);
			this.byKey.set(id, e);
		}
		return e;
	}

	// quietly: numbers from before this page was open, which belong to no column.
	update(frame, given, quietly) {
		const col = new Column(frame, this.isDistribution ? this.bounds.length : 1, given.length);
		this.place = (this.place + 1) % SPARK;
		for (const e of this.elems) e.spark[this.place] = e.delta = e.rate = 0;
		if (this.isDistribution) this.distribute(col, given);
		else this.amount(col, given);
		for (let r = 0; r < given.length; r++) {
			const e = this.elems[col.keys[r]];
			if (quietly) continue;
			e.delta = col.sums[r];
			e.rate = e.delta / (frame.span || 1);
			e.spark[this.place] = e.delta;
		}
		if (quietly) return;
		this.columns.push(col);
		this.detail += col.detail;
		this.trim(frame.time);
	}

	amount(col, given) {
		given.forEach(([keys, value, count], r) => {
			const e = this.element(keys),
				now = Number(value);
			// A script that clears its aggregations starts again from zero.
			const fresh = count < e.count;
			const was = fresh ? 0 : this.fn === "sum" ? e.value : e.count;
			const more = Math.max(0, (this.fn === "sum" ? now : count) - was);
			col.keys[r] = e.index;
			col.sums[r] = more;
			col.add(0, more);
			e.value = now;
			e.count = count;
		});
	}

	distribute(col, given) {
		let most = 0;
		for (const g of given) most += g[3].length >> 1;
		const b = new Uint16Array(most),
			n = new Uint32Array(most),
			size = this.bounds.length;
		let used = 0;
		col.at = new Uint32Array(given.length + 1);
		given.forEach(([keys, value, count, buckets], r) => {
			const e = this.element(keys);
			if (!e.buckets || e.buckets.length !== size || count < e.count) e.buckets = new Float64Array(size);
			let more = 0;
			for (let i = 0; i < buckets.length; i += 2) {
				const k = buckets[i],
					d = buckets[i + 1] - e.buckets[k];
				e.buckets[k] = buckets[i + 1];
				if (d <= 0) continue;
				b[used] = k;
				n[used++] = d;
				more += d;
				col.add(k, d);
				if (k < this.low) this.low = k;
				if (k > this.high) this.high = k;
			}
			col.keys[r] = e.index;
			col.sums[r] = more;
			col.at[r + 1] = used;
			e.value = Number(value);
			e.count = count;
		});
		col.b = used === most ? b : b.slice(0, used);
		col.n = used === most ? n : n.slice(0, used);
	}

	trim(now) {
		let gone = 0;
		while (gone < this.columns.length && this.columns[gone].time < now - KEEP_MS) this.detail -= this.columns[gone++].detail;
		if (gone) this.columns.splice(0, gone);
		for (let i = 0; this.detail > DETAIL && i < this.columns.length - 1; i++) {
			const c = this.columns[i];
			this.detail -= c.detail;
			c.at = c.b = c.n = null;
		}
	}

	// Elements that are missing in a whole frame are gone from the script's state; their past stays.
	forget(given) {
		const here = new Set(given.map((g) => JSON.stringify(g[0])));
		for (const [id, e] of this.byKey)
			if (!here.has(id)) {
				e.value = e.count = 0;
				e.buckets = null;
			}
	}

	// The buckets of columns from … to, of one element (its index) or of all (null).
	buckets(from, to, key = null) {
		if (from === to && key === null) return this.columns[from].merged;
		const sums = new Float64Array(this.bounds.length);
		for (let c = from; c <= to; c++)
			if (key === null) this.columns[c].merged.forEach((n, i) => (sums[i] += n));
			else this.columns[c].addTo(sums, key);
		return sums;
	}

	// Which element has most in each bucket of columns from … to; -1 if none, or no longer known.
	owners(from, to) {
		const size = this.bounds.length,
			who = new Int32Array(size).fill(-1),
			most = new Float64Array(size);
		const one = from === to ? this.columns[from] : null;
		if (one?.owner) return one.owner;
		const sums = one ? null : new Map();
		for (let c = from; c <= to; c++) {
			const col = this.columns[c];
			if (!col.at) continue;
			for (let r = 0; r < col.keys.length; r++)
				for (let i = col.at[r]; i < col.at[r + 1]; i++) {
					const k = col.b[i],
						id = col.keys[r] * size + k;
					const n = sums ? (sums.get(id) || 0) + col.n[i] : col.n[i];
					sums?.set(id, n);
					if (n > most[k]) {
						most[k] = n;
						who[k] = col.keys[r];
					}
				}
		}
		if (one) one.owner = who;
		return who;
	}

	// What each element has in columns from … to, and in buckets lo … hi: [[element, n], …], largest first.
	share(from, to, lo = 0, hi = Infinity) {
		const sums = new Float64Array(this.elems.length),
			all = lo === 0 && hi === Infinity;
		for (let c = Math.max(0, from); c <= to && c < this.columns.length; c++) {
			const col = this.columns[c];
			for (let r = 0; r < col.keys.length; r++)
				if (all) sums[col.keys[r]] += col.sums[r];
				else if (col.at)
					for (let i = col.at[r]; i < col.at[r + 1]; i++) if (col.b[i] >= lo && col.b[i] <= hi) sums[col.keys[r]] += col.n[i];
		}
		const out = [];
		for (let k = 0; k < sums.length; k++) if (sums[k] > 0) out.push([this.elems[k], sums[k]]);
		return out.sort((x, y) => y[1] - x[1]);
	}

	// The columns of a span of time: [first, last], both included; null if there are none.
	span(t0, t1) {
		const first = this.columns.findIndex((c) => c.time >= t0);
		let last = this.columns.length - 1;
		while (last >= first && this.columns[last].time > t1) last--;
		return first < 0 || last < first ? null : [first, last];
	}
}

// The bucket in which the share p of the counts is reached; -1 if there are none.
export function percentile(buckets, p) {
	let total = 0,
		sum = 0,
		last = -1;
	for (const n of buckets) total += n;
	for (let i = 0; i < buckets.length; i++) {
		if (!buckets[i]) continue;
		sum += buckets[i];
		last = i;
		if (sum >= total * p) return i;
	}
	return last;
}

export class Run {
	// joined: it already ran before this page was open.
	constructor(id, joined = false) {
		Object.assign(this, { id, joined, aggs: new Map(), log: [], lost: 0, logged: 0, info: null, status: null, frames: 0, seq: 0 });
	}

	frame(f) {
		const quietly = this.joined && this.frames === 0 && f.seq > 1;
		// A slow page gets several intervals at once.
		if (this.time) f.span = Math.max(0.001, (f.time - this.time) / 1000);
		this.time = f.time;
		const given = new Map(f.aggs.map((a) => [a.id, a]));
		for (const a of f.aggs) {
			let agg = this.aggs.get(a.id);
			if (!agg) this.aggs.set(a.id, (agg = new Aggregation(a.id, a.name, a.fn)));
			if (a.bounds) agg.bounds = a.bounds;
		}
		for (const agg of this.aggs.values()) {
			const elems = given.get(agg.id)?.elems || [];
			if (f.whole && agg.elems.length) agg.forget(elems);
			agg.update(f, elems, quietly);
		}
		this.status = f.status;
		this.frames++;
		this.seq = f.seq;
	}

	lines(m) {
		const now = Date.now();
		this.lost += m.lost;
		for (const l of m.lines) this.log.push({ ...l, time: now, no: this.logged++ });
		if (this.log.length > LOG) this.log.splice(0, this.log.length - LOG);
	}
}
