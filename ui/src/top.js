// The frame around the views: header, script, messages. It only has elements; app.js says what they do.
import { h, select, button, field, tame, full } from "./dom.js";
import { measure, percent } from "./units.js";
import { Alerts } from "./alerts.js";

export const VIEWS = [
	["heatmap", "Heatmap"],
	["list", "List"],
	["flame", "Flame"],
	["waterfall", "Waterfall"],
	["log", "Log"],
	["nodes", "Nodes"],
	["editor", "Editor"],
];
const INTERVALS = [100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000].map((ms) => [
	String(ms),
	ms < 1000 ? `${ms} ms` : `${ms / 1000} s`,
]);
const EXPORTS = [
	["", "Export …"],
	["png", "picture: PNG"],
	["svg", "picture: SVG"],
	["csv", "data: CSV"],
	["json", "data: JSON"],
	["folded", "folded stacks"],
	["speedscope", "speedscope"],
];
const HINTS = {
	heatmap:
		"How to read it: a column is an interval, newest right; a cell is a range of values, and its colour how many events were in it. Drag over cells to see whose they are.",
	flame: "How to read it: the wider a frame, the more of all it has; what it calls lies on it. Click to zoom, and drag below to compare two spans of time.",
	waterfall:
		"How to read it: time goes to the right, and each row is a server that the request came to. Look for the longest bar of full colour (that server works long) and the longest grey one (that server is busy with others).",
};

export class Top {
	constructor(root, app) {
		this.app = app;
		this.tabs = h(
			"nav",
			{ "aria-label": "Views" },
			VIEWS.map(([v, text], i) =>
				h(
					"a",
					{ href: `/${v}`, "data-view": v, title: `${text} (${i + 1})`, onclick: (e) => (e.preventDefault(), app.go(v)) },
					text,
				),
			),
		);
		this.pill = h("span", { class: "pill", role: "status" });
		this.cost = h("span", { class: "cost" });
		this.aggs = h("span", { class: "holder" });
		this.others = h("span", { class: "holder" });
		this.exporter = select("Export", EXPORTS, "", (v) => {
			this.exporter.value = "";
			if (v) app.export(v);
		});
		this.fold = button("Script", "Hide or show the script (e)", () => app.toggleSide(), { "aria-expanded": "true" });
		this.alerts = new Alerts(app);
		this.stage = h("main");
		this.message = h("div", { class: "message", role: "alert", hidden: true });
		this.hint = h("div", { class: "hint", hidden: true });
		this.caption = h("p", { class: "caption" });
		this.buildSide();
		root.replaceChildren(
			h(
				"header",
				{},
				h("h1", {}, "erltrace"),
				this.tabs,
				this.pill,
				this.cost,
				h(
					"div",
					{ class: "tools" },
					this.others,
					this.aggs,
					this.exporter,
					this.fold,
					button("◐", "Dark or light", () => app.theme(), { class: "icon" }),
					button("?", "Keys (?)", () => app.help(), { class: "icon" }),
					button("Log out", "Log this browser out", () => app.logOut()),
				),
			),
			this.message,
			h("div", { class: "frame" }, this.side, h("div", { class: "right" }, this.caption, this.hint, this.alerts.el, this.stage)),
		);
	}

	buildSide() {
		const app = this.app;
		this.library = h("select", {
			"aria-label": "Ready scripts",
			onchange: () => {
				const i = this.library.value;
				this.library.value = "";
				app.pick(Number(i));
			},
		});
		this.check = h("p", { class: "check", role: "status" });
		this.nodes = h("span", { class: "holder" });
		this.interval = select("Interval", INTERVALS, String(app.interval), (v) => (app.interval = Number(v)));
		this.start = button("Start", "Start the script (Ctrl+Enter)", () => app.start(), { class: "go" });
		this.stop = button("Stop", "Stop the script", () => app.stop(), { disabled: true });
		this.side = h(
			"section",
			{ class: "side", "aria-label": "Script" },
			h("div", { class: "bar" }, this.library),
			app.editor.el,
			this.check,
			h(
				"div",
				{ class: "bar" },
				this.start,
				this.stop,
				this.nodes,
				field("every", this.interval),
				button("Link", "Copy a link to this script and view", () => app.share()),
			),
		);
	}

	say(text, action) {
		const words = tame(text, 4000).replace(/␊/g, "\n").replace(/␉/g, "\t");
		this.message.replaceChildren(
			h("pre", {}, words),
			action ? button(action[0], action[0], action[1]) : "",
			button("×", "Close the message", () => this.quiet(), { class: "icon" }),
		);
		this.message.hidden = false;
	}

	quiet() {
		this.message.hidden = true;
	}

	// Shown once for each view, until it is closed.
	teach(view, memory) {
		const known = memory.get("hints", []);
		this.hint.hidden = !HINTS[view] || known.includes(view);
		if (!this.hint.hidden)
			this.hint.replaceChildren(
				h("span", {}, HINTS[view]),
				button("Got it", "Close the hint", () => {
					memory.set("hints", [...known, view]);
					this.hint.hidden = true;
				}),
			);
	}

	greet(hello) {
		const app = this.app,
			nodes = hello.nodes;
		const many =
			nodes.length > 1
				? [
						["*", "all nodes, each by itself"],
						["+", "all nodes, merged"],
					]
				: [];
		this.nodes.replaceChildren(
			nodes.length
				? field(
						"on",
						select("Node", [["", "this server"], ...nodes.map((n) => [n, n]), ...many], app.node || "", (v) =>
							app.choose(v || null),
						),
					)
				: "",
		);
		this.library.replaceChildren(
			h("option", { value: "" }, "Ready scripts …"),
			...hello.scripts.map((s, i) => h("option", { value: i, disabled: (s.node && !nodes.length) || (s.kernel && !hello.kernel) }, s.name)),
		);
	}

	offers(node) {
		return typeof node === "string" && [...this.nodes.querySelectorAll("option")].some((o) => o.value === node);
	}

	// Offers the existing aggregations.
	choices(all, now) {
		const want = JSON.stringify([all.map((a) => [a.id, a.name, a.fn]), now?.id]);
		if (this.had === want) return;
		this.had = want;
		this.aggs.replaceChildren(
			all.length
				? select(
						"Aggregation",
						all.map((a) => [String(a.id), `${a.label} ${a.fn}()`]),
						String(now?.id ?? ""),
						(v) => this.app.chooseAgg(Number(v)),
					)
				: "",
		);
	}

	joinable(others) {
		const want = JSON.stringify(others.map((r) => [r.id, r.name, r.watchers]));
		if (this.hadOthers === want) return;
		this.hadOthers = want;
		this.others.replaceChildren(
			others.length
				? select(
						"Scripts of other pages",
						[
							["", `${others.length} more running …`],
							...others.map((r) => [String(r.id), `${tame(r.name, 40)} (${r.watchers})`]),
						],
						"",
						(v) => this.app.joinById(Number(v)),
					)
				: "",
		);
	}

	state(s, info, cpu, omitted) {
		const why = info?.why ? `: ${tame(info.why, 200)}` : "";
		const text =
			{
				idle: "nothing runs",
				starting: "starting …",
				running: "running",
				stopping: "stopping …",
				ended: `ended${why}`,
				failed: "failed",
				offline: "no connection",
			}[s] || s;
		if (this.pill.textContent !== text) this.pill.textContent = text;
		this.pill.title = text;
		this.pill.className = `pill ${s}`;
		this.stop.disabled = s !== "running" && s !== "starting";
		this.start.disabled = s === "offline";
		const parts = [];
		if (s === "running") {
			parts.push(`${measure(Math.round(info.rate || 0))} events/s`);
			if (info.drops) parts.push(`${full(info.drops)} drops`);
			if (omitted) parts.push(`${full(omitted)} keys not shown: too many`);
			if (info.errors) parts.push(`${full(info.errors)} errors`);
			const nodes = (info.nodes || []).filter((n) => n.name),
				cost = (all) => all.map((n) => n.overhead).filter((o) => typeof o === "number"),
				over = cost(nodes),
				kernel = cost((info.nodes || []).filter((n) => !n.name));
			if (over.length) parts.push(`${percent(Math.max(...over))} of a scheduler`);
			if (kernel.length) parts.push(`${percent(Math.max(...kernel))} of a CPU in the kernel`);
			parts.push(`${((cpu || 0) * 100).toFixed(0)} % of a CPU here`);
			if (nodes.length === 1) parts.push(tame(nodes[0].name, 60));
			else if (nodes.length) parts.push(`${nodes.filter((n) => n.state === "running").length} of ${nodes.length} nodes`);
		}
		this.cost.textContent = this.cost.title = parts.join(" · ");
	}
}
