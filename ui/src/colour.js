// Colours that people who cannot tell red from green can tell apart too.

// cividis, a few stops of it: dark blue to yellow, even in lightness.
const STOPS = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]];

// Okabe and Ito's.
export const HUES = [[86, 180, 233], [230, 159, 0], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167], [150, 150, 150]];

export const isDark = () => {
	const t = document.documentElement.dataset.theme;
	return t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

// t of 0 … 1; the least is well away from the background.
export function heat(t) {
	const dark = isDark();
	const u = dark ? 0.22 + 0.78 * t : 0.86 - 0.86 * t;
	const x = Math.min(0.9999, Math.max(0, u)) * (STOPS.length - 1), i = Math.floor(x), f = x - i;
	const [a, b] = [STOPS[i], STOPS[Math.min(i + 1, STOPS.length - 1)]];
	return `rgb(${a.map((v, j) => Math.round(v + (b[j] - v) * f)).join(",")})`;
}

export function table() {
	return Array.from({ length: 256 }, (_, i) => heat(i / 255));
}

export function hue(i, t) {
	const c = HUES[i % HUES.length];
	return `rgba(${c.join(",")},${(0.3 + 0.7 * t).toFixed(3)})`;
}

// Maps a count to 0 … 1 by one of the scales; counts are those that are seen.
export function scale(kind, counts) {
	const max = Math.max(1, counts.length ? counts.reduce((a, b) => (a > b ? a : b)) : 1);
	if (kind === "rank") {
		const order = [...new Set(counts)].sort((a, b) => a - b), at = new Map(order.map((c, i) => [c, i]));
		const n = Math.max(1, order.length - 1);
		return { max, of: (c) => (at.get(c) ?? 0) / n };
	}
	if (kind === "log") return { max, of: (c) => (max > 1 ? Math.log(c) / Math.log(max) : 1) };
	if (kind === "sqrt") return { max, of: (c) => Math.sqrt(c / max) };
	return { max, of: (c) => c / max };
}
