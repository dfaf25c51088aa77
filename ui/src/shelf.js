// The library: ready scripts with what each answers, and the user's own recent ones.
import { h, button, tame } from "./dom.js";

export class Shelf {
	constructor(app, recent) {
		Object.assign(this, { app, recent, filter: "" });
		this.lists = h("div");
		this.search = h("input", {
			type: "search",
			placeholder: "find a script",
			"aria-label": "Find a script",
			oninput: () => this.put(this.search.value.toLowerCase()),
		});
		this.el = h(
			"div",
			{ class: "view shelf" },
			h(
				"div",
				{ class: "bar" },
				this.search,
				h("span", { class: "dim" }, "Ctrl+Enter starts what is in the editor; ? shows all keys."),
			),
			this.lists,
		);
	}

	put(filter) {
		this.filter = filter;
		this.had = null;
		this.draw();
	}

	draw() {
		const scripts = this.app.hello?.scripts || [],
			mine = this.recent().filter((r) => !scripts.some((s) => s.text === r.text));
		const want = JSON.stringify([scripts.map((s) => s.name), mine.map((r) => r.text), this.filter, this.app.hello?.nodes]);
		if (this.had === want) return;
		this.had = want;
		const nodes = this.app.hello?.nodes.length > 0,
			kernel = this.app.hello?.kernel;
		const fits = (s) => `${s.name} ${s.about} ${s.text}`.toLowerCase().includes(this.filter);
		const groups = [
			["On Erlang nodes", scripts.filter((s) => s.node && nodes)],
			["Without a node", scripts.filter((s) => !s.node && (!s.kernel || kernel))],
			["For Erlang nodes: start the server with -N NODE", scripts.filter((s) => s.node && !nodes)],
			["About the kernel and all processes: start the server with --kernel", scripts.filter((s) => !s.node && s.kernel && !kernel)],
			["Your recent ones", mine.map((r) => ({ ...r, about: r.text.trim().split("\n").slice(0, 2).join(" ") }))],
		];
		this.lists.replaceChildren(
			...groups.flatMap(([title, list]) => {
				const some = list.filter(fits);
				return some.length
					? [
							h("h2", {}, title),
							h(
								"ul",
								{},
								some.map((s) => this.item(s)),
							),
						]
					: [];
			}),
		);
	}

	item(s) {
		const name = tame(s.name, 80),
			off = (s.node && !this.app.hello.nodes.length) || (s.kernel && !this.app.hello.kernel);
		return h(
			"li",
			{},
			h("b", {}, name),
			h("p", {}, tame(s.about, 300)),
			h(
				"div",
				{ class: "bar" },
				button("Open", `open ${name} in the editor`, () => this.app.load(s)),
				off ? "" : button("Run", `run ${name}`, () => this.app.launch(s), { class: "go" }),
				s.view ? h("span", { class: "tag" }, s.view) : "",
			),
		);
	}
}
