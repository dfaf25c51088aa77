// A table as SVG, for the views that are tables.
import { theme } from "./dom.js";
import { SvgPen } from "./pen.js";

const ROW = 22,
	PAD = 14,
	CHAR = 7;

// The first column (or those in `left`) is text, the others are numbers.
export function sheet(titles, rows, left = new Set([0])) {
	const css = theme(),
		width = titles.map((t, i) => Math.max(t.length, ...rows.map((r) => String(r[i]).length)) * CHAR + 2 * PAD);
	const w = width.reduce((a, b) => a + b, 0),
		pen = new SvgPen(w, (rows.length + 1) * ROW + 10, css.panel);
	const line = (cells, y, weight) => {
		let x = 0;
		cells.forEach((c, i) => {
			const text = left.has(i);
			pen.text(text ? x + PAD : x + width[i] - PAD, y + 15, String(c), css.fg, { anchor: text ? "start" : "end", size: 12, weight });
			x += width[i];
		});
		pen.rect(0, y + ROW - 1, w, 1, css.edge);
	};
	line(titles, 0, 600);
	rows.forEach((r, i) => line(r, (i + 1) * ROW, 400));
	return pen.root;
}
