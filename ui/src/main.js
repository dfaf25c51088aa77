// The page: what runs, what is shown, and the frame around it.
import { h, select, button, short, tame } from "./dom.js";
import { Link } from "./link.js";
import { Run } from "./store.js";
import { Heatmap } from "./heatmap.js";
import { List } from "./list.js";
import { Flame } from "./flame.js";
import { Log } from "./log.js";
import { Nodes } from "./nodes.js";
import { Editor } from "./editor.js";
import { exportAs } from "./export.js";

const VIEWS = [["heatmap", "Heatmap"], ["list", "List"], ["flame", "Flame"], ["log", "Log"], ["nodes", "Nodes"], ["editor", "Editor"]];
const INTERVALS = [["100", "100 ms"], ["200", "200 ms"], ["500", "500 ms"], ["1000", "1 s"], ["2000", "2 s"], ["5000", "5 s"], ["10000", "10 s"], ["60000", "60 s"]];

const memory = {
	get(k, otherwise) { try { return JSON.parse(localStorage.getItem(`erltrace.${k}`)) ?? otherwise; } catch { return otherwise; } },
	set(k, v) { try { localStorage.setItem(`erltrace.${k}`, JSON.stringify(v)); } catch { /* private windows have none */ } },
};

const pack = (s) => btoa(String.fromCharCode(...new TextEncoder().encode(s))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const unpack = (s) => new TextDecoder().decode(Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));

class App {
	constructor(root) {
		Object.assign(this, { root, runs: [], run: null, hello: null, node: null, interval: 1000, chosen: null, dirty: true, draws: 0, name: "script" });
		const theme = memory.get("theme", null);
		if (theme) document.documentElement.dataset.theme = theme;
		this.link = new Link();
		this.editor = new Editor(this, "");
		this.views = { heatmap: new Heatmap(this), list: new List(this), flame: new Flame(this), log: new Log(this), nodes: new Nodes(this) };
		this.build();
		this.link.addEventListener("hello", (e) => this.greet(e.detail));
		this.link.addEventListener("runs", (e) => this.told(e.detail));
		this.link.addEventListener("frame", (e) => this.frame(e.detail));
		this.link.addEventListener("log", (e) => { if (this.run?.id === e.detail.run) { this.run.lines(e.detail); this.dirty = true; } });
		this.link.addEventListener("error", (e) => this.say(e.detail.msg));
		this.link.addEventListener("lost", () => { this.online = false; this.state(); });
		addEventListener("popstate", () => this.show(this.fromPath()));
		addEventListener("resize", () => (this.dirty = true));
		addEventListener("keydown", (e) => this.key(e));
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.dirty = true));
		this.show(this.fromPath());
		const loop = () => {
			if (this.dirty) {
				this.dirty = false;
				this.draws++;
				this.choices();
				this.view?.draw();
			}
			requestAnimationFrame(loop);
		};
		loop();
	}

	fromPath() {
		const p = location.pathname.slice(1);
		return VIEWS.some(([v]) => v === p) ? p : "heatmap";
	}

	build() {
		this.tabs = h("nav", { "aria-label": "Views" }, ...VIEWS.map(([v, text], i) => h("a", { href: `/${v}`, "data-view": v, title: `${text} (${i + 1})`, onclick: (e) => { e.preventDefault(); this.go(v); } }, text)));
		this.pill = h("span", { class: "pill", role: "status", "aria-live": "polite" });
		this.cost = h("span", { class: "dim cost" });
		this.aggBox = h("span");
		this.others = h("span");
		this.library = h("select", { "aria-label": "Ready scripts", onchange: () => this.pick(this.library.value) });
		this.about = h("p", { class: "dim about" });
		this.check = h("p", { class: "check", role: "status" });
		this.nodeBox = h("span");
		this.startButton = button("Start", "Start the script (Ctrl+Enter)", () => this.start(), { class: "go" });
		this.stopButton = button("Stop", "Stop the script", () => this.stop());
		this.stage = h("main", {});
		this.message = h("div", { class: "message", role: "alert", hidden: true });
		this.exporter = select("Export", [["", "Export …"], ["png", "PNG"], ["svg", "SVG"], ["csv", "CSV"], ["json", "JSON"], ["folded", "folded stacks"], ["speedscope", "speedscope"]], "", (v) => { this.exporter.value = ""; if (v) exportAs(v, this).catch((e) => this.say(e.message)); });
		this.side = h("section", { class: "side", "aria-label": "Script" },
			h("div", { class: "bar" }, this.library), this.about, this.editor.el, this.check,
			h("div", { class: "bar" }, this.startButton, this.stopButton, this.nodeBox,
				h("label", {}, "every ", select("Interval", INTERVALS, String(this.interval), (v) => (this.interval = Number(v)))),
				button("Link", "Copy a link to this script and view", () => this.share())));
		this.root.replaceChildren(
			h("header", {}, h("h1", {}, "erltrace"), this.tabs, this.pill, this.cost, h("span", { class: "fill" }), this.others, this.aggBox, this.exporter, button("◐", "Dark or light", () => this.theme())),
			this.message, h("div", { class: "frame" }, this.side, this.stage));
	}

	theme() {
		const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
		document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
		memory.set("theme", document.documentElement.dataset.theme);
		this.dirty = true;
	}

	go(view) {
		history.pushState(null, "", `/${view}${location.hash}`);
		this.show(view);
	}

	show(view) {
		this.route = view;
		document.body.dataset.view = view;
		document.title = `erltrace: ${view}`;
		for (const a of this.tabs.children) a.toggleAttribute("aria-current", a.dataset.view === view);
		this.view = this.views[view] || null;
		this.stage.replaceChildren(this.view ? this.view.el : this.shelf());
		this.view?.shown?.();
		this.dirty = true;
	}

	// The library and recent scripts, beside the editor.
	shelf() {
		const item = (name, about, text, view, node) => h("li", {}, button(h("b", {}, tame(name, 80)), `load ${tame(name, 80)}`, () => this.load(name, text, about)), h("p", {}, tame(about, 300)), node && !this.node ? h("p", { class: "dim" }, "needs a node: -N NODE") : "", button("Run", `run ${tame(name, 80)}`, () => { this.load(name, text, about); this.go(view || "list"); this.start(); }));
		const recent = memory.get("recent", []);
		return h("div", { class: "view shelf" }, h("h2", {}, "Ready scripts"), h("ul", {}, ...(this.hello?.scripts || []).map((s) => item(s.name, s.about, s.text, s.view, s.node))),
			recent.length ? h("h2", {}, "Your recent ones") : "", h("ul", {}, ...recent.map((r) => item(r.name, r.text.split("\n").find((l) => l.trim()) || "", r.text, r.view))));
	}

	say(text) {
		this.message.replaceChildren(h("pre", {}, tame(text, 4000).replace(/␊/g, "\n").replace(/␉/g, "\t")), button("×", "Close", () => (this.message.hidden = true)));
		this.message.hidden = false;
	}

	// -- what the server says

	greet(m) {
		const first = !this.hello;
		this.hello = m;
		this.online = true;
		this.fresh = true;
		if (m.nodes.length && first) this.node = m.nodes[0];
		this.nodeBox.replaceChildren(m.nodes.length ? h("label", {}, "on ", select("Node", [["", "this server"], ...m.nodes.map((n) => [n, n])], this.node || "", (v) => { this.node = v || null; this.editor.loadProbes(); this.editor.text = this.editor.text; })) : "");
		this.library.replaceChildren(h("option", { value: "" }, "Ready scripts …"), ...m.scripts.map((s, i) => h("option", { value: i, disabled: s.node && !m.nodes.length }, s.name)));
		this.editor.loadProbes();
		if (!first) return;
		const given = new URLSearchParams(location.hash.slice(1)).get("s");
		if (given) {
			try {
				this.load("from a link", unpack(given), "This script came with the link. It has not been started.");
				this.linked = true;
			} catch {
				this.say("the link carries no script that can be read");
			}
		}
		if (this.route === "editor") this.show("editor");
	}

	// The first list of scripts decides what to begin with: one that runs already, or one that shows what this is.
	begin() {
		const going = this.runs.find((r) => r.state === "running" || r.state === "starting");
		if (this.linked) return;
		if (this.run && !this.run.over && this.runs.some((r) => r.id === this.run.id && r.state === "running")) return this.link.ask({ t: "watch", run: this.run.id }).catch(() => this.start());
		if (this.run?.over) return;
		if (this.run) {
			// back after the connection was lost: tracing has ended meanwhile
			this.run.info = { ...this.run.info, state: "ended", why: "the connection was lost" };
			this.run.over = true;
			return this.state();
		}
		if (going) return this.join(going);
		this.first();
	}

	first() {
		const s = this.hello.scripts.find((x) => x.node === !!this.node) || this.hello.scripts[0];
		this.load(s.name, s.text, s.about);
		this.start();
	}

	told(m) {
		this.runs = m.runs;
		this.cpu = m.cpu;
		this.clients = m.clients;
		if (this.fresh) {
			this.fresh = false;
			this.begin();
		}
		if (this.run && !this.run.over) {
			const info = m.runs.find((r) => r.id === this.run.id);
			if (info) {
				const was = this.run.info?.state;
				this.run.info = { ...info, script: this.run.info?.script };
				if (info.state === "failed" && was !== "failed") this.say(info.why || "it did not start");
				if (info.state === "ended" || info.state === "failed") this.finish(this.run);
			} else if (this.run.info && this.online) this.run.info = { ...this.run.info, state: "ended" };
		}
		this.joinable();
		this.state();
		if (this.route === "nodes") this.dirty = true;
	}

	// What has ended is kept here, not at the server.
	finish(run) {
		run.over = true;
		setTimeout(() => this.link.send({ t: "unwatch", run: run.id }), 700);
	}

	frame(f) {
		if (!this.run || f.run !== this.run.id) return;
		this.run.frame(f);
		this.dirty = true;
	}

	// -- what the user does

	load(name, text, about) {
		this.name = name;
		this.editor.text = text;
		this.about.textContent = tame(about || "", 300);
	}

	pick(i) {
		const s = this.hello?.scripts[i];
		this.library.value = "";
		if (!s) return;
		this.load(s.name, s.text, s.about);
		if (this.views[s.view] && this.route !== "editor") this.go(s.view);
		this.start();
	}

	edited() {
		this.dirty = true;
	}

	checked(m) {
		this.check.className = m.ok ? "check ok" : "check bad";
		this.check.textContent = m.ok ? `compiles: ${m.clauses} clause${m.clauses === 1 ? "" : "s"}, ${m.matches} probe${m.matches === 1 ? "" : "s"}` : tame(m.diag ? `line ${m.diag.line}: ${m.diag.msg}` : m.msg, 400);
	}

	leave() {
		if (this.run && !this.run.over) this.link.send({ t: "unwatch", run: this.run.id });
		this.run = null;
		this.chosen = null;
		this.views.heatmap.key = this.views.heatmap.picked = null;
		this.views.flame.path = [];
	}

	async start() {
		const script = this.editor.text;
		this.message.hidden = true;
		this.linked = false;
		this.leave();
		try {
			const m = await this.link.ask({ t: "start", name: this.name, script, node: this.node || undefined, interval: this.interval });
			this.run = new Run(m.run);
			this.run.info = { id: m.run, state: "starting", script, node: this.node, name: this.name, interval: this.interval };
			const recent = memory.get("recent", []).filter((r) => r.text !== script);
			memory.set("recent", [{ name: this.name, text: script, view: this.view ? this.route : "heatmap" }, ...recent].slice(0, 12));
		} catch (e) {
			this.say(e.message);
		}
		this.state();
		this.dirty = true;
	}

	stop() {
		if (this.run && !this.run.over) this.link.send({ t: "stop", run: this.run.id });
	}

	async join(info) {
		this.leave();
		this.run = new Run(info.id);
		this.run.info = info;
		this.state();
		try {
			const m = await this.link.ask({ t: "watch", run: info.id });
			this.run.info.script = m.script;
			this.load(info.name, m.script, "Started by another page; closing the last page ends it.");
		} catch {
			// its last page has just gone
			if (this.run?.id === info.id) this.first();
		}
	}

	share() {
		const url = `${location.origin}/${this.route}#s=${pack(this.editor.text)}`;
		history.replaceState(null, "", url);
		navigator.clipboard?.writeText(url).then(() => this.say("The link was copied. Who opens it needs access to this server."), () => this.say("The link is in the address bar now."));
	}

	key(e) {
		const t = e.composedPath()[0];
		if (e.ctrlKey || e.metaKey || e.altKey || t.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)) return;
		if (t.tagName === "BUTTON" && (e.key === " " || e.key === "Enter")) return;
		const n = Number(e.key);
		if (n >= 1 && n <= VIEWS.length) this.go(VIEWS[n - 1][0]);
		else if (!this.view?.key_?.(e)) return;
		e.preventDefault();
	}

	// -- what is shown around the view

	agg(wanted) {
		const all = this.run ? [...this.run.aggs.values()] : [];
		const chosen = all.find((a) => a.id === this.chosen);
		return chosen && wanted(chosen) ? chosen : all.find(wanted) || null;
	}

	waiting(otherwise) {
		if (!this.run) return "Nothing runs. Press Start.";
		if (this.run.info?.state === "failed") return "The script did not start.";
		return this.run.frames ? otherwise : "Waiting for the first numbers …";
	}

	choices() {
		const all = this.run ? [...this.run.aggs.values()] : [], now = this.view?.agg?.();
		const want = JSON.stringify([all.map((a) => [a.id, a.name, a.fn]), now?.id]);
		if (this.had === want) return;
		this.had = want;
		this.aggBox.replaceChildren(all.length ? select("Aggregation", all.map((a) => [String(a.id), `${a.label} ${a.fn}()`]), String(now?.id ?? ""), (v) => {
			this.chosen = Number(v);
			const a = this.run.aggs.get(this.chosen);
			if (a && this.route === "heatmap" && !a.isDistribution) this.go("list");
			else if (a && this.route !== "heatmap" && a.isDistribution) this.go("heatmap");
			this.dirty = true;
		}) : "");
	}

	joinable() {
		const others = this.runs.filter((r) => r.id !== this.run?.id && (r.state === "running" || r.state === "starting"));
		const want = JSON.stringify(others.map((r) => [r.id, r.name, r.watchers]));
		if (this.hadOthers === want) return;
		this.hadOthers = want;
		this.others.replaceChildren(others.length ? select("Scripts of other pages", [["", `${others.length} more running …`], ...others.map((r) => [String(r.id), `${tame(r.name, 40)} (${r.watchers})`])], "", (v) => {
			const r = this.runs.find((x) => x.id === Number(v));
			if (r) this.join(r);
		}) : "");
	}

	state() {
		const i = this.run?.info, s = this.online ? i?.state || "idle" : "offline";
		const text = { idle: "nothing runs", starting: "starting …", running: "running", stopping: "stopping …", ended: `ended${i?.why ? `: ${i.why}` : ""}`, failed: "failed", offline: "no connection" }[s];
		if (this.pill.textContent !== text) this.pill.textContent = text;
		this.pill.className = `pill ${s}`;
		this.stopButton.disabled = !(s === "running" || s === "starting");
		this.cost.textContent = s === "running" ? `${short(i.rate || 0)} events/s${i.drops ? `, ${short(i.drops)} drops` : ""}${i.errors ? `, ${short(i.errors)} errors` : ""}, server ${((this.cpu || 0) * 100).toFixed(0)} % CPU${i.node ? ` · ${i.node}` : ""}` : "";
	}
}

globalThis.erltrace = new App(document.getElementById("app"));
