// Colours that people with red-green blindness can tell apart too. Both ramps change evenly in lightness from one end
// to the other, and even the lowest step differs clearly from the background.

// on light: from light green through blue to dark blue; on dark: from purple through orange to pale yellow
const LIGHT = [
	[105, 196, 178],
	[66, 172, 190],
	[44, 148, 192],
	[34, 101, 172],
	[36, 60, 148],
	[8, 29, 88],
];
const DARK = [
	[118, 52, 170],
	[165, 50, 140],
	[200, 62, 105],
	[229, 92, 48],
	[249, 150, 20],
	[250, 220, 110],
	[252, 250, 190],
];

// The palette of Okabe and Ito; the last colour is for all others.
export const HUES = [
	[86, 180, 233],
	[230, 159, 0],
	[0, 158, 115],
	[204, 121, 167],
	[0, 114, 178],
	[213, 94, 0],
	[190, 178, 30],
];
export const OTHERS = [140, 140, 140];

export const isDark = () => {
	const t = document.documentElement.dataset.theme;
	return t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

// Converts t of 0 … 1 to [r, g, b].
export function heat(t, dark) {
	const stops = dark ? DARK : LIGHT,
		x = Math.min(1, Math.max(0, t)) * (stops.length - 1);
	const i = Math.min(stops.length - 2, Math.floor(x));
	return stops[i].map((v, j) => Math.round(v + (stops[i + 1][j] - v) * (x - i)));
}

export const rgb = (c) => `rgb(${c.join(",")})`;

export function table(dark) {
	return Array.from({ length: 256 }, (_, i) => rgb(heat(i / 255, dark)));
}

// The colour of key number i (past the last: all others), stronger with t.
export function hue(i, t, dark) {
	const c = HUES[i] || OTHERS,
		ground = dark ? 24 : 255,
		f = 0.35 + 0.65 * t;
	return rgb(c.map((v) => Math.round(ground + (v - ground) * f)));
}

// Maps a count to 0 … 1 by one of the scales, and back. `counts` are the visible ones.
export function scale(kind, counts) {
	let max = 1;
	for (const c of counts) if (c > max) max = c;
	if (kind === "rank") {
		const order = Float64Array.from(new Set(counts)).sort(),
			n = Math.max(1, order.length - 1);
		const at = new Map(Array.from(order, (c, i) => [c, i / n]));
		return { max, of: (c) => at.get(c) ?? 1, back: (t) => order[Math.round(t * n)] ?? 1 };
	}
	const log = Math.log(max) || 1;
	if (kind === "log") return { max, of: (c) => (max > 1 ? Math.log(c) / log : 1), back: (t) => Math.exp(t * log) };
	if (kind === "sqrt") return { max, of: (c) => Math.sqrt(c / max), back: (t) => t * t * max };
	return { max, of: (c) => c / max, back: (t) => t * max };
}
