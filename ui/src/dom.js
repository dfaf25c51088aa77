// Helpers for elements, text and files. Foreign text is inserted only as text.

export function h(tag, attrs = {}, ...children) {
	const el = document.createElement(tag);
	for (const [k, v] of Object.entries(attrs)) {
		if (v === undefined || v === null || v === false) continue;
		if (k.startsWith("on")) el.addEventListener(k.slice(2), v);
		else if (k === "value" || k === "checked") el[k] = v;
		else el.setAttribute(k, v === true ? "" : v);
	}
	el.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
	return el;
}

export function svg(tag, attrs = {}, ...children) {
	const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [k, v] of Object.entries(attrs)) el.setAttribute(k, v);
	el.append(...children);
	return el;
}

export function select(label, options, value, change) {
	const el = h("select", { "aria-label": label, title: label, onchange: () => change(el.value) });
	for (const [v, text] of options) el.append(h("option", { value: v, selected: v === value }, text));
	return el;
}

export function button(text, label, press, attrs = {}) {
	return h("button", { type: "button", "aria-label": label, title: label, onclick: press, ...attrs }, text);
}

export function toggle(text, on, change) {
	const box = h("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
	return h("label", { class: "toggle" }, box, text);
}

// A control with a label before it.
export const field = (text, control) => h("label", { class: "field" }, h("span", {}, text), control);

export const full = (n) => (typeof n === "number" ? n.toLocaleString("en") : String(n));

export const plural = (n, what) => `${full(n)} ${what}${n === 1 ? "" : "s"}`;

export const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");

// Control characters and the like are shown, not obeyed. Text that is too long is cut.
export function tame(text, most = 300) {
	const all = String(text),
		cut = all.length > most ? all.slice(0, most) : all;
	const s = cut.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => {
		const n = c.charCodeAt(0);
		return n < 0x20 ? String.fromCharCode(0x2400 + n) : `\\u${n.toString(16).padStart(4, "0")}`;
	});
	return cut === all ? s : `${s}… (${full(all.length)} characters)`;
}

// At most this many characters, without saying how many there were.
export const brief = (text, most) => (text.length > most ? `${tame(text.slice(0, Math.max(1, most - 1)), most)}…` : tame(text, most));

export function download(name, type, data) {
	const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
	const a = h("a", { href: url, download: name });
	document.body.append(a);
	a.click();
	a.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// The colours of the style sheet, for canvas and SVG.
export function theme() {
	const all = getComputedStyle(document.documentElement),
		get = (name) => all.getPropertyValue(`--${name}`).trim();
	return {
		bg: get("bg"),
		panel: get("panel"),
		fg: get("fg"),
		dim: get("dim"),
		edge: get("edge"),
		accent: get("accent"),
		line: get("line"),
		bad: get("bad"),
	};
}

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
