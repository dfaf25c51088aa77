// What the keys do, as a dialog.
import { h, button } from "./dom.js";

const KEYS = [
	["1 … 7", "the views"],
	["Ctrl+Enter", "start the script"],
	["e", "hide or show the script"],
	["?", "this"],
	["Heatmap", null],
	["space", "pause and go on"],
	["n", "newest"],
	["← →, wheel", "back and forward in time, up to 30 minutes"],
	["+ −, Ctrl+wheel", "zoom"],
	["arrows, on the picture", "from cell to cell; with shift select"],
	["Enter, Escape", "zoom to the selection, clear it"],
	["Flame", null],
	["arrows, on a frame", "to callers, callees and beside"],
	["Enter, Escape", "zoom in, to the whole"],
	["Waterfall", null],
	["↑ ↓, on a row", "from server to server"],
	["Page up, Page down", "from request to request; Home, End: the first, the last"],
	["Editor", null],
	["Ctrl+Space", "complete"],
	["Escape, then Tab", "leave the editor"],
];

export function help() {
	const rows = KEYS.map(([k, what]) =>
		what
			? h("tr", {}, h("th", { scope: "row" }, k), h("td", { class: "left" }, what))
			: h("tr", {}, h("th", { colspan: "2", class: "part" }, k)),
	);
	const box = h(
		"dialog",
		{ class: "help", "aria-label": "Keys" },
		h("h2", {}, "Keys"),
		h("table", {}, h("tbody", {}, rows)),
		button("Close", "Close", () => box.close(), { autofocus: true }),
	);
	box.addEventListener("close", () => box.remove());
	document.body.append(box);
	box.showModal();
}
