// The keys beside a picture: whose events it shows, the most frequent first. Each is a button that isolates it.
import { h, button, full, tame } from "./dom.js";
import { measure } from "./units.js";

const MOST = 60,
	SEARCH_FROM = 12;

export class KeyList {
	constructor(press) {
		Object.assign(this, { press, shown: null });
		this.title = h("h3");
		this.note = h("p", { class: "dim" });
		this.actions = h("p", { class: "bar" });
		this.search = h("input", { type: "search", placeholder: "find a key", "aria-label": "Find a key", oninput: () => this.fill() });
		this.list = h("ol");
		this.more = h("p", { class: "dim" });
		this.el = h(
			"aside",
			{ class: "keys", "aria-label": "Keys" },
			this.title,
			this.note,
			this.actions,
			this.search,
			this.list,
			this.more,
		);
		this.clear();
	}

	clear() {
		this.search.value = "";
		this.show({ title: "", note: "", actions: [], rows: [], chosen: null, colour: () => null });
	}

	//   rows: [[element, n], …]; chosen: index of the isolated one or null; colour: of an element
	//   same: of what the colours depend on
	show(what) {
		const was = this.shown;
		this.shown = what;
		if (
			was &&
			was.rows === what.rows &&
			was.chosen === what.chosen &&
			was.same === what.same &&
			was.note === what.note &&
			was.actions.length === what.actions.length
		)
			return;
		this.title.textContent = what.title;
		this.note.textContent = what.note;
		const same = JSON.stringify(what.actions.map((a) => a[0]));
		if (this.had !== same) this.actions.replaceChildren(...what.actions.map(([text, label, press]) => button(text, label, press)));
		this.had = same;
		this.actions.hidden = !what.actions.length;
		this.fill();
	}

	// Rows are reused, so that the focus stays where it is.
	fill() {
		const { rows, chosen, colour } = this.shown,
			wanted = this.search.value.toLowerCase();
		this.search.hidden = rows.length <= SEARCH_FROM && !wanted;
		const some = wanted ? rows.filter(([e]) => e.text.toLowerCase().includes(wanted)) : rows;
		let total = 0;
		for (const [, n] of rows) total += n;
		while (this.list.children.length > Math.min(MOST, some.length)) this.list.lastChild.remove();
		some.slice(0, MOST).forEach(([e, n], i) => {
			const li = this.list.children[i] || this.list.appendChild(this.row()),
				[name, amount, bar] = li.firstChild.children;
			const share = total ? n / total : 0,
				text = tame(e.text || "(no key)", 200);
			li.element = e;
			name.textContent = text;
			amount.textContent = `${measure(n)} · ${(share * 100).toFixed(1)} %`;
			bar.style.width = `${(share * 100).toFixed(2)}%`;
			bar.style.background = colour(e) || "";
			li.firstChild.title = text;
			li.firstChild.setAttribute("aria-pressed", String(chosen === e.index));
			li.firstChild.setAttribute(
				"aria-label",
				`isolate ${tame(e.text || "(no key)", 80)}: ${full(n)}, ${(share * 100).toFixed(1)} %`,
			);
		});
		this.more.textContent = some.length > MOST ? `and ${full(some.length - MOST)} more` : "";
	}

	row() {
		const li = h(
			"li",
			{},
			h(
				"button",
				{ type: "button", class: "key", onclick: () => this.press(li.element) },
				h("span", { class: "name" }),
				h("b"),
				h("i", { "aria-hidden": "true" }),
			),
		);
		return li;
	}
}
