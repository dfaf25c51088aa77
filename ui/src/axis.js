// The value axis: where buckets are, and the marks beside it. Values are whole numbers, so a bucket of 10 … 14 reaches
// from 10 to 15. A bucket that is open to one side gets its own band.
import { measure, niceSteps } from "./units.js";

const BAND = 16; // px of an open bucket
const APART = 20; // px between marks

// Like a logarithm, but also for 0 and negative values.
const warp = (v) => Math.sign(v) * Math.log10(1 + Math.abs(v));

export class Axis {
	// Maps buckets lo … hi of bounds to y … y + height, the largest on top.
	constructor(bounds, lo, hi, kind, y, height) {
		Object.assign(this, { bounds, lo, hi, y, height });
		this.f = kind === "linear" ? (v) => v : warp;
		const below = bounds[lo][0] === null,
			above = bounds[hi][1] === null;
		this.bottom = y + height - (below ? BAND : 0);
		this.top = y + (above ? BAND : 0);
		this.from = below ? bounds[lo][1] + 1 : bounds[lo][0];
		this.to = above ? bounds[hi][0] : bounds[hi][1] + 1;
		if (this.to <= this.from) this.to = this.from + 1;
		this.f0 = this.f(this.from);
		this.scale = (this.bottom - this.top) / (this.f(this.to) - this.f0);
		// edge[i] is the lower edge of bucket lo + i; the last one is the upper edge of the last bucket
		this.edge = [];
		for (let j = lo; j <= hi; j++) this.edge.push(bounds[j][0] === null ? y + height : this.at(bounds[j][0]));
		this.edge.push(above ? y : this.at(this.to));
	}

	at(v) {
		return this.bottom - (this.f(v) - this.f0) * this.scale;
	}

	lower(j) {
		return this.edge[j - this.lo];
	}

	upper(j) {
		return this.edge[j - this.lo + 1];
	}

	// The bucket at a height.
	bucket(y) {
		let j = this.lo;
		while (j < this.hi && y < this.upper(j)) j++;
		return j;
	}

	// [[y, text], …] from below.
	marks(unit) {
		const first = this.bounds[this.lo],
			last = this.bounds[this.hi],
			out = [];
		const below = first[0] === null ? [[this.y + this.height - BAND / 2, `≤ ${measure(first[1], unit)}`]] : [];
		const above = last[1] === null ? [[this.y + BAND / 2, `≥ ${measure(last[0], unit)}`]] : [];
		let before = below.length ? below[0][0] : Infinity;
		for (const v of this.round(unit)) {
			const y = this.at(v);
			if (before - y < APART || (above.length && y - above[0][0] < APART)) continue;
			out.push([y, measure(v, unit)]);
			before = y;
		}
		return [...below, ...out, ...above];
	}

	// Round values with enough space between them.
	round(unit) {
		if (this.f === warp) {
			const each = unit === "B" ? 2 : 10,
				out = [];
			const decade = Math.abs(this.at(1000) - this.at(1000 * each));
			const parts = each === 2 ? [1] : decade > 90 ? [1, 2, 5] : [1];
			for (let e = 1; e < 2 ** 62; e *= each) for (const m of parts) out.push(m * e, -m * e);
			return [...new Set([0, ...out])].filter((v) => v >= this.from && v <= this.to).sort((a, b) => a - b);
		}
		const px = (this.bottom - this.top) / (this.to - this.from);
		const step = niceSteps(unit).find((s) => s * px >= 2 * APART) ?? this.to - this.from,
			out = [];
		for (let v = Math.ceil(this.from / step) * step; v <= this.to && out.length < 200; v += step) out.push(v);
		return out;
	}
}

const STEPS = [100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 1800e3, 3600e3];

// The smallest step of time with at least `apart` px.
export const timeStep = (msPerPx, apart = 84) => STEPS.find((s) => s / msPerPx >= apart) ?? STEPS.at(-1);
