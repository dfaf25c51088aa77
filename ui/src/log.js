// What printf() and trace() say, with faults and drops between.
import { h, clock, tame, full } from "./dom.js";

const SHOWN = 1000;

export class Log {
	constructor(app) {
		Object.assign(this, { app, filter: "", follow: true });
		this.out = h("ol", { class: "log", tabindex: "0", "aria-label": "Output of the script" });
		this.note = h("p", { class: "dim" });
		this.el = h("div", { class: "view" },
			h("div", { class: "bar" },
				h("input", { type: "search", placeholder: "filter lines", "aria-label": "Filter lines", oninput: (e) => { this.filter = e.target.value.toLowerCase(); this.draw(); } }),
				h("label", {}, h("input", { type: "checkbox", checked: true, onchange: (e) => { this.follow = e.target.checked; this.draw(); } }), " follow")),
			this.out, this.note);
	}

	draw() {
		const run = this.app.run, all = run ? run.log : [];
		if (!this.follow && this.drawn === run && this.was === this.filter) return;
		this.drawn = run;
		this.was = this.filter;
		const lines = this.filter ? all.filter((l) => `${l.text} ${l.probe}`.toLowerCase().includes(this.filter)) : all;
		this.out.replaceChildren(...lines.slice(-SHOWN).map((l) => h("li", { class: l.kind }, h("time", {}, clock(l.time)), h("i", {}, l.kind === "record" ? l.probe.replace(/^.*:/, "") : l.kind), h("span", {}, l.text.replace(/\n+$/, "").split("\n").map((t) => tame(t, 2000)).join("\n")))));
		if (this.follow) this.out.scrollTop = this.out.scrollHeight;
		this.note.textContent = all.length ? `${full(lines.length)} lines${run.lost ? `, ${full(run.lost)} were lost because there were too many` : ""}` : this.app.waiting("This script has printed nothing yet: printf() and trace() do.");
	}
}
