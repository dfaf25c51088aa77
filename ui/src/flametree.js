// Stacks as a tree of widths: from stack keys, from text with one frame per line or with ; between frames, and from
// several keys, the first outermost.

// Frames of a key, outermost first.
export function frames(e) {
	const out = [];
	for (const [i, k] of e.keys.entries()) {
		if (k && typeof k === "object" && k.stack) out.push(...[...k.stack].reverse());
		else if (typeof k === "string" && k.trim().includes("\n"))
			out.push(
				...k
					.trim()
					.split("\n")
					.map((l) => l.trim())
					.reverse(),
			);
		else if (typeof k === "string" && k.includes(";")) out.push(...k.split(";").filter(Boolean));
		else out.push(e.parts[i]);
	}
	return out.length ? out : ["(no key)"];
}

// Whether an aggregation seems to hold stacks.
export const isStacked = (agg) => agg.elems.slice(0, 50).some((e) => e.keys.length > 2 || frames(e).length > Math.max(1, e.keys.length));

// What elements got in spans of time [t0, t1]: now, and before if it is given. null means since the start.
function amounts(agg, now, before) {
	if (!now && !before) return agg.elems.filter((e) => agg.weight(e) > 0).map((e) => [e, agg.weight(e), 0]);
	const sums = new Map();
	for (const [slot, of] of [
		[1, now || [-Infinity, Infinity]],
		[2, before],
	])
		for (const col of of ? agg.columns : []) {
			if (col.time < of[0] || col.time > of[1]) continue;
			for (let r = 0; r < col.keys.length; r++) {
				const k = col.keys[r];
				if (!sums.has(k)) sums.set(k, [agg.elems[k], 0, 0]);
				sums.get(k)[slot] += col.sums[r];
			}
		}
	return [...sums.values()].filter(([, a, b]) => a + b > 0);
}

const node = (name, path) => ({ name, path, kids: new Map(), now: 0, before: 0 });

export function tree(agg, now, before) {
	const root = node("all", []);
	for (const [e, a, b] of amounts(agg, now, before)) {
		let at = root;
		root.now += a;
		root.before += b;
		for (const f of frames(e)) {
			let kid = at.kids.get(f);
			if (!kid) at.kids.set(f, (kid = node(f, [...at.path, f])));
			kid.now += a;
			kid.before += b;
			at = kid;
		}
	}
	return root;
}

export function find(root, path) {
	const line = [root];
	for (const name of path) {
		const kid = line.at(-1).kids.get(name);
		if (!kid) break;
		line.push(kid);
	}
	return line;
}

// Returns boxes { node, x, w, row } for a width. The zoomed frame and all its callers fill it. In a difference a box is
// as wide as both shares together, so that what has vanished can be seen.
export function layout(root, zoom, width, least, differs) {
	const boxes = [],
		line = find(root, zoom);
	const size = (n) => (differs ? n.now / (root.now || 1) + n.before / (root.before || 1) : n.now);
	line.forEach((n, row) => boxes.push({ node: n, x: 0, w: width, row }));
	const level = (parent, x, w, row) => {
		const all = size(parent) || 1;
		for (const kid of [...parent.kids.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const kw = (size(kid) / all) * w;
			if (kw >= least) {
				boxes.push({ node: kid, x, w: kw, row });
				level(kid, x, kw, row + 1);
			}
			x += kw;
		}
	};
	level(line.at(-1), 0, width, line.length);
	return boxes;
}

// How much is in frames that match, counting each event once.
export function matching(root, match) {
	const walk = (n) => (match(n.name) ? n.now : [...n.kids.values()].reduce((s, k) => s + walk(k), 0));
	return [...root.kids.values()].reduce((s, k) => s + walk(k), 0);
}
