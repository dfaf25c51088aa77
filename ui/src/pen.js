// The same picture on a canvas and as SVG: both pens understand the same few strokes.
import { svg } from "./dom.js";

const FONT = "system-ui, sans-serif";

export class CanvasPen {
	constructor(c) {
		this.c = c;
	}

	rect(x, y, w, h, fill, { alpha = 1 } = {}) {
		this.c.globalAlpha = alpha;
		this.c.fillStyle = fill;
		this.c.fillRect(x, y, w, h);
		this.c.globalAlpha = 1;
	}

	frame(x, y, w, h, stroke, dash = []) {
		this.c.setLineDash(dash);
		this.c.lineWidth = 1.5;
		this.c.strokeStyle = stroke;
		this.c.strokeRect(x, y, w, h);
		this.c.setLineDash([]);
	}

	text(x, y, text, fill, { anchor = "start", size = 11, weight = 400 } = {}) {
		this.c.font = `${weight} ${size}px ${FONT}`;
		this.c.textAlign = anchor === "middle" ? "center" : anchor === "end" ? "right" : "left";
		this.c.fillStyle = fill;
		this.c.fillText(text, x, y);
	}

	// points: [[x, y] or null for a gap, …]
	line(points, stroke, width, dash = []) {
		this.c.setLineDash(dash);
		this.c.lineWidth = width;
		this.c.lineJoin = "round";
		this.c.strokeStyle = stroke;
		this.c.beginPath();
		let on = false;
		for (const p of points) {
			if (p && on) this.c.lineTo(p[0], p[1]);
			else if (p) this.c.moveTo(p[0], p[1]);
			on = !!p;
		}
		this.c.stroke();
		this.c.setLineDash([]);
	}
}

export class SvgPen {
	constructor(w, h, background) {
		this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: w, height: h, viewBox: `0 0 ${w} ${h}`, "font-family": FONT });
		this.rect(0, 0, w, h, background);
	}

	put(tag, attrs, ...children) {
		for (const k of ["x", "y", "width", "height"]) if (typeof attrs[k] === "number") attrs[k] = +attrs[k].toFixed(2);
		this.root.append(svg(tag, attrs, ...children));
	}

	rect(x, y, width, height, fill, { alpha = 1, title } = {}) {
		const attrs = { x, y, width, height, fill };
		if (alpha !== 1) attrs.opacity = alpha;
		this.put("rect", attrs, ...(title ? [svg("title", {}, title)] : []));
	}

	frame(x, y, width, height, stroke, dash = []) {
		this.put("rect", {
			x: Math.min(x, x + width),
			y: Math.min(y, y + height),
			width: Math.abs(width),
			height: Math.abs(height),
			fill: "none",
			stroke,
			"stroke-width": 1.5,
			"stroke-dasharray": dash.join(" "),
		});
	}

	text(x, y, text, fill, { anchor = "start", size = 11, weight = 400 } = {}) {
		this.put("text", { x, y, fill, "text-anchor": anchor, "font-size": size, "font-weight": weight }, text);
	}

	line(points, stroke, width, dash = []) {
		let d = "",
			on = false;
		for (const p of points) {
			if (p) d += `${on ? "L" : "M"}${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
			on = !!p;
		}
		this.put("path", {
			d,
			stroke,
			fill: "none",
			"stroke-width": width,
			"stroke-linejoin": "round",
			"stroke-dasharray": dash.join(" "),
		});
	}
}
