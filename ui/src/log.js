// What printf() and trace() print, with faults and drops in between. Lines are added as they come; surplus lines are
// removed at the top.
import { h, toggle, button, plural, full, clock, tame } from "./dom.js";
import { sheet } from "./sheet.js";

const SHOWN = 1000;

export class Log {
	constructor(app) {
		Object.assign(this, { app, filter: "", follow: true, next: 0, run: null, hits: 0, at: 0 });
		this.out = h("ol", { class: "log", tabindex: "0", "aria-label": "Output of the script" });
		this.note = h("p", { class: "note" });
		this.search = h("input", {
			type: "search",
			placeholder: "filter lines",
			"aria-label": "Filter lines",
			oninput: () => this.narrow(this.search.value),
		});
		this.following = toggle("follow", true, (on) => this.followNow(on));
		this.el = h(
			"div",
			{ class: "view" },
			h(
				"div",
				{ class: "bar" },
				this.search,
				this.following,
				button("Clear", "Clear the lines shown", () => this.clear()),
			),
			this.out,
			this.note,
		);
		// a user who scrolls up wants to read
		this.out.addEventListener("scroll", () => {
			const end = this.out.scrollHeight - this.out.scrollTop - this.out.clientHeight < 30;
			if (end !== this.follow && Math.abs(this.out.scrollTop - this.at) > 2) this.followNow(end);
		});
	}

	followNow(on) {
		this.follow = this.following.firstChild.checked = on;
		if (on) this.draw();
	}

	narrow(text) {
		this.filter = text.toLowerCase();
		this.restart();
	}

	restart() {
		this.next = this.hits = 0;
		this.out.replaceChildren();
		this.draw();
	}

	clear() {
		if (this.app.run) this.app.run.log = [];
		this.restart();
	}

	matches(l) {
		return !this.filter || `${l.text} ${l.probe}`.toLowerCase().includes(this.filter);
	}

	draw() {
		const run = this.app.run;
		if (run !== this.run) {
			this.run = run;
			return this.restart();
		}
		const lines = run ? run.log : [];
		if (this.follow) this.add(lines);
		this.note.textContent = this.words(lines);
	}

	add(lines) {
		const fresh = lines.filter((l) => l.no >= this.next && this.matches(l));
		if (lines.length) this.next = lines.at(-1).no + 1;
		this.hits += fresh.length;
		this.out.append(...fresh.slice(-SHOWN).map((l) => this.line(l)));
		while (this.out.children.length > SHOWN) this.out.firstChild.remove();
		this.out.scrollTop = this.out.scrollHeight;
		this.at = this.out.scrollTop; // so that this does not count as the user's scrolling
	}

	line(l) {
		const text = l.text
			.replace(/\n+$/, "")
			.split("\n")
			.map((t) => tame(t, 2000))
			.join("\n");
		return h(
			"li",
			{ class: l.kind },
			h("time", {}, clock(l.time)),
			h("i", { title: l.probe }, l.kind === "record" ? l.probe.replace(/^.*:/, "") : l.kind),
			h("span", {}, text),
		);
	}

	words(lines) {
		if (!lines.length) return this.app.waiting("This script has printed nothing yet: printf() and trace() do.");
		const shown = this.out.children.length,
			waiting = lines.filter((l) => l.no >= this.next && this.matches(l)).length;
		const parts = [plural(this.hits + waiting, "line")];
		if (this.hits > shown) parts.push(`the last ${full(shown)} shown`);
		if (waiting) parts.push(`${full(waiting)} new ones below`);
		if (this.run.lost) parts.push(`${full(this.run.lost)} were lost because there were too many`);
		return `${parts.join(", ")}.`;
	}

	toSvg() {
		const rows = [...this.out.children].slice(-200).map((li) => [...li.children].map((c) => c.textContent.slice(0, 200)));
		return rows.length ? sheet(["time", "probe", "text"], rows, new Set([0, 1, 2])) : null;
	}
}
