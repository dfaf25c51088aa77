// Small things about elements and numbers. Text from outside goes in as text only.

export function h(tag, attrs = {}, ...children) {
	const el = document.createElement(tag);
	set(el, attrs);
	el.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
	return el;
}

export function svg(tag, attrs = {}, ...children) {
	const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [k, v] of Object.entries(attrs)) {
		if (k.startsWith("on")) el.addEventListener(k.slice(2), v);
		else el.setAttribute(k, v);
	}
	el.append(...children);
	return el;
}

function set(el, attrs) {
	for (const [k, v] of Object.entries(attrs)) {
		if (v === undefined || v === null || v === false) continue;
		if (k.startsWith("on")) el.addEventListener(k.slice(2), v);
		else if (k === "value" || k === "checked") el[k] = v;
		else el.setAttribute(k, v === true ? "" : v);
	}
}

export function select(label, options, value, change) {
	const el = h("select", { "aria-label": label, title: label, onchange: () => change(el.value) });
	for (const o of options) {
		const [v, text] = Array.isArray(o) ? o : [o, o];
		el.append(h("option", { value: v, selected: v === value }, text));
	}
	return el;
}

export function button(text, label, press, attrs = {}) {
	return h("button", { type: "button", "aria-label": label, title: label, onclick: press, ...attrs }, text);
}

// 1234567 → 1.23 M
export function short(n) {
	if (n === null || n === undefined || Number.isNaN(n)) return "";
	const a = Math.abs(n);
	for (const [from, unit] of [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
		if (a >= from) return `${+(n / from).toPrecision(3)} ${unit}`;
	return Number.isInteger(n) ? String(n) : n.toPrecision(3);
}

export const full = (n) => (typeof n === "number" ? n.toLocaleString("en") : String(n));

export function clock(ms) {
	return new Date(ms).toLocaleTimeString("en-GB");
}

// Control characters and the like are shown, not obeyed; what is too long is cut.
export function tame(text, most = 300) {
	const s = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => {
		const n = c.charCodeAt(0);
		return n < 0x20 ? String.fromCharCode(0x2400 + n) : `\\u${n.toString(16).padStart(4, "0")}`;
	});
	return s.length > most ? `${s.slice(0, most)}… (${s.length} characters)` : s;
}

export function download(name, type, data) {
	const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
	const a = h("a", { href: url, download: name });
	document.body.append(a);
	a.click();
	a.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A canvas as large as its box, sharp on every screen. Returns the context, in CSS pixels.
export function sized(canvas, w, hgt) {
	const d = devicePixelRatio || 1;
	if (canvas.width !== Math.round(w * d) || canvas.height !== Math.round(hgt * d)) {
		canvas.width = Math.round(w * d);
		canvas.height = Math.round(hgt * d);
		canvas.style.width = `${w}px`;
		canvas.style.height = `${hgt}px`;
	}
	const c = canvas.getContext("2d");
	c.setTransform(d, 0, 0, d, 0, 0);
	return c;
}
