// What is alarming: the alerts of the script that is shown, above every view. The newest come first, then those that are
// over. Each has its values and the keys with the most in the minute before it, and leads to the heatmap of that minute.
import { h, button, tame, brief, plural, full, clock } from "./dom.js";

const FEW = 4;

export class Alerts {
	constructor(app) {
		Object.assign(this, { app, all: false, drawn: "" });
		this.head = h("b");
		this.more = button("", "Show all alerts", () => this.unfold());
		this.rows = h("ol", { "aria-label": "Alerts" });
		this.el = h("section", { class: "alerts", role: "region", "aria-label": "Alerts", hidden: true }, h("p", {}, this.head, this.more), this.rows);
	}

	unfold() {
		this.all = !this.all;
		this.drawn = "";
		this.draw();
	}

	draw() {
		const a = this.app.run?.status?.alerts,
			key = JSON.stringify([a, this.all]);
		if (key === this.drawn) return;
		this.drawn = key;
		this.el.hidden = !a;
		if (!a) return;
		const parts = [plural(a.firing, "alert")];
		if (a.over) parts.push(`${full(a.over)} over`);
		if (a.dropped) parts.push(`${full(a.dropped)} for which there was no room`);
		this.head.textContent = parts.join(", ");
		this.el.classList.toggle("firing", a.firing > 0);
		const shown = this.all ? a.rows : a.rows.slice(0, FEW);
		this.more.hidden = a.rows.length <= FEW;
		this.more.textContent = this.all ? "fewer" : `all ${a.rows.length}`;
		this.rows.replaceChildren(...shown.map((r) => this.row(r)));
	}

	// The newest values, and the largest keys when it began.
	details(r) {
		const values = (r.values ?? []).map((v) => brief(String(v), 60)).join(", "),
			top = r.top ?? [];
		if (!values && !top.length) return null;
		return h(
			"div",
			{ class: "details", title: top.map((t) => tame(t, 300)).join("\n") || null },
			values && h("span", { class: "values" }, values),
			top.length > 0 && h("span", { class: "top" }, `minute before: ${top.map((t) => brief(t, 80)).join("; ")}`),
		);
	}

	row(r) {
		const when = r.until ? `${clock(r.since)} – ${clock(r.until)}` : `since ${clock(r.since)}`;
		return h(
			"li",
			{ class: `${r.level}${r.until ? " over" : ""}` },
			h("i", {}, r.until ? "over" : r.level),
			h("span", { class: "key" }, tame(r.key, 80)),
			h("span", { class: "text" }, tame(r.text, 200)),
			h("span", { class: "place", title: tame(r.condition || r.probe, 300) }, `${tame(r.place, 60)}${r.node ? ` on ${tame(r.node, 60)}` : ""}`),
			h("time", {}, r.count > 1 ? `${when}, ${full(r.count)} times` : when),
			button("before", `The heatmap of the time before ${tame(r.key, 80)}`, () => this.app.before(r.since)),
			this.details(r),
		);
	}
}
