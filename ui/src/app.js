// The page: what runs, what is shown, and what passes between server, views and frame.
import { h, tame } from "./dom.js";
import { Link } from "./link.js";
import { Run } from "./store.js";
import { Heatmap } from "./heatmap.js";
import { List } from "./list.js";
import { Flame } from "./flame.js";
import { Waterfall } from "./waterfall.js";
import { Log } from "./log.js";
import { Nodes } from "./nodes.js";
import { Shelf } from "./shelf.js";
import { Editor } from "./editor.js";
import { Top, VIEWS } from "./top.js";
import { memory, toHash, fromHash } from "./memory.js";
import { exportAs } from "./export.js";
import { help } from "./help.js";

const RECENT = 12;
const alive = (r) => r.state === "running" || r.state === "starting";

export class App {
	constructor(root) {
		Object.assign(this, {
			runs: [],
			run: null,
			hello: null,
			online: false,
			node: null,
			interval: 1000,
			chosen: null,
			dirty: true,
			draws: 0,
			name: "script",
			about: "",
		});
		const theme = memory.get("theme", null);
		if (theme) document.documentElement.dataset.theme = theme;
		this.link = new Link();
		this.editor = new Editor(this);
		this.views = {
			heatmap: new Heatmap(this),
			list: new List(this),
			flame: new Flame(this),
			waterfall: new Waterfall(this),
			log: new Log(this),
			nodes: new Nodes(this),
			editor: new Shelf(this, () => memory.get("recent", [])),
		};
		this.top = new Top(root, this);
		const kept = memory.get("views", {});
		for (const [name, s] of Object.entries(kept)) this.views[name]?.restore?.(s);
		this.listen();
		this.side(memory.get("side", true));
		this.show(this.fromPath());
		const loop = () => {
			if (this.dirty) this.draw();
			requestAnimationFrame(loop);
		};
		loop();
	}

	listen() {
		const on = (type, f) => this.link.addEventListener(type, (e) => f(e.detail)),
			again = () => (this.dirty = true);
		on("hello", (m) => this.greet(m));
		on("runs", (m) => this.told(m));
		on("frame", (m) => this.frame(m));
		on("log", (m) => this.logged(m));
		on("error", (m) => this.say(m.msg));
		on("lost", () => this.lost());
		on("refused", (m) => this.refused(m));
		addEventListener("popstate", () => this.show(this.fromPath()));
		addEventListener("resize", again);
		addEventListener("keydown", (e) => this.key(e));
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
	}

	draw() {
		this.dirty = false;
		this.draws++;
		this.top.choices(this.run ? [...this.run.aggs.values()] : [], this.view.agg?.());
		this.top.alerts.draw();
		this.view.draw();
	}

	// The heatmap as it was at a moment; without a distribution the list.
	before(time) {
		const heatmap = this.views.heatmap;
		if (!heatmap.agg()) return this.go("list");
		heatmap.end = time;
		this.go("heatmap");
	}

	say(text, action) {
		this.top.say(text, action);
	}

	// -- views

	fromPath() {
		const p = location.pathname.slice(1);
		return VIEWS.some(([v]) => v === p) ? p : "heatmap";
	}

	go(view) {
		if (view !== this.route) history.pushState(null, "", `/${view}`);
		this.show(view);
	}

	show(view) {
		this.route = view;
		this.view = this.views[view];
		document.body.dataset.view = view;
		document.title = `erltrace: ${view}`;
		for (const a of this.top.tabs.children) {
			if (a.dataset.view === view) a.setAttribute("aria-current", "page");
			else a.removeAttribute("aria-current");
		}
		this.top.stage.replaceChildren(this.view.el);
		this.top.teach(view, memory);
		this.view.shown?.();
		this.draw(); // draws now: with the browser's next frame it would be seen empty first
	}

	theme() {
		const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
		document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
		memory.set("theme", document.documentElement.dataset.theme);
		this.dirty = true;
	}

	side(on) {
		document.body.dataset.side = on ? "on" : "off";
		this.top.fold.setAttribute("aria-expanded", String(on));
		memory.set("side", on);
		this.dirty = true;
	}

	toggleSide() {
		this.side(document.body.dataset.side !== "on");
	}

	help() {
		help();
	}

	// A view's settings changed: keeps them for the next visit.
	settled() {
		memory.set("views", Object.fromEntries(["heatmap"].map((v) => [v, this.views[v].settings()])));
	}

	export(kind) {
		exportAs(kind, this).catch((e) => this.say(e.message));
	}

	key(e) {
		const t = e.composedPath()[0];
		if (
			e.ctrlKey ||
			e.metaKey ||
			e.altKey ||
			t.isContentEditable ||
			/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName) ||
			document.querySelector("dialog[open]")
		)
			return;
		if (t.tagName === "BUTTON" && (e.key === " " || e.key === "Enter")) return;
		const n = Number(e.key);
		if (n >= 1 && n <= VIEWS.length) this.go(VIEWS[n - 1][0]);
		else if (e.key === "?") this.help();
		else if (e.key === "e") this.toggleSide();
		else if (!this.view.key_?.(e)) return;
		e.preventDefault();
	}

	// -- what the server says

	greet(m) {
		const first = !this.hello;
		this.hello = m;
		this.online = this.fresh = true;
		if (first && m.nodes.length) this.node = m.nodes[0];
		this.top.greet(m);
		this.editor.loadProbes();
		if (first) this.takeLink();
		else this.top.quiet(); // the message about the lost connection
		this.state();
		this.dirty = true;
	}

	// A link brings a script, but does not start it: nobody should run a script that they have not read by
	// following a link.
	takeLink() {
		let given;
		try {
			given = fromHash(location.hash);
		} catch {
			return this.say("the link carries no script that can be read");
		}
		if (!given) return;
		this.linked = true;
		this.load({ name: "from a link", text: given.script, about: "This script came with the link. Read it, then press Start." });
		const v = given.view && typeof given.view === "object" ? given.view : {};
		for (const [name, view] of Object.entries(this.views)) if (v[name] && typeof v[name] === "object") view.restore?.(v[name]);
		if (this.top.offers(v.node)) this.node = v.node;
		this.top.greet(this.hello);
		if ([...this.top.interval.options].some((o) => o.value === String(v.interval)))
			this.top.interval.value = this.interval = v.interval;
		if (Number.isInteger(v.agg)) this.chosen = v.agg;
	}

	// The first list of scripts decides what to begin with: one that already runs, or one that shows what the page
	// can do.
	begin() {
		if (this.linked) return;
		const was = this.run,
			now = was && this.runs.find((r) => r.id === was.id);
		if (!was) {
			const going = this.runs.find(alive);
			return going ? this.join(going) : this.first();
		}
		if (was.over) return this.top.quiet();
		if (now && alive(now)) {
			this.top.quiet();
			return this.rejoin(was);
		}
		this.dropped(was);
	}

	// Another page has kept it going: its last 30 minutes are sent again, including what was missed.
	rejoin(was) {
		this.run = Object.assign(new Run(was.id, true), { info: was.info });
		Object.assign(this.views.heatmap, { key: null, picked: null, sums: null });
		return this.link.ask({ t: "watch", run: was.id }).catch(() => {
			this.run = was;
			this.dropped(was);
		});
	}

	// Back after the connection was lost: tracing has ended meanwhile, but what was seen stays.
	dropped(run) {
		run.info = { ...run.info, state: "ended", why: "the connection was lost" };
		run.over = true;
		this.say("Connected again. The script has ended when the connection was lost; what it had found is still here.", [
			"Start again",
			() => this.start(),
		]);
		this.state();
	}

	first() {
		this.launch(this.hello.scripts.find((x) => x.node === !!this.node) || this.hello.scripts[0], false);
	}

	// This browser is not logged in, or not any more.
	refused(m) {
		this.link.ended = true;
		this.say(`Not logged in: ${m.msg}. The server prints a new one on the signal USR1 (kill -USR1 PID).`);
	}

	logOut() {
		this.link.leave();
		this.say("Logged out. What only pages of this browser watched has ended. To come back, open a new URL of the server.");
	}

	lost() {
		const was = this.online;
		this.online = false;
		this.state();
		if (this.link.ended) return;
		if (was || !this.hello)
			this.say(
				"The connection to the server is lost. Tracing ends by itself within two seconds; this page tries to connect again. If the server was started anew, open the URL that it has printed.",
			);
		this.dirty = true;
	}

	told(m) {
		Object.assign(this, { runs: m.runs, cpu: m.cpu, clients: m.clients });
		this.views.nodes.tick();
		if (this.fresh) {
			this.fresh = false;
			this.begin();
		}
		if (this.run && !this.run.over) this.follow(this.run);
		this.top.joinable(this.runs.filter((r) => r.id !== this.run?.id && alive(r)));
		this.state();
		if (this.route === "nodes") this.dirty = true;
	}

	follow(run) {
		const info = this.runs.find((r) => r.id === run.id),
			before = run.info,
			was = before?.state;
		if (!info) {
			if (run.info && was !== "starting") run.info = { ...run.info, state: "ended" };
			return;
		}
		run.info = { ...info, script: run.info?.script };
		if (info.state === "failed" && was !== "failed") this.say(info.why || "it did not start");
		this.warn(info, before);
		if (info.state === "ended" || info.state === "failed") this.finish(run);
	}

	// Reports what has just failed, and on which node.
	warn(info, before) {
		const was = new Map((before?.nodes || []).map((n) => [n.name, n]));
		for (const n of info.nodes || []) {
			const where = n.name ? ` on ${n.name}` : "";
			if (n.guard && !was.get(n.name)?.guard)
				this.say(
					`The overhead guard has ended the script${where}: it cost more than ${n.limit} % of a scheduler. Trace less, or allow more: #pragma D option maxoverhead=N.`,
				);
			else if (n.state === "failed" && info.state !== "failed" && was.get(n.name)?.state !== "failed")
				this.say(`The script has failed${where}: ${n.why || "no reason given"}`);
		}
	}

	// A run that has ended is kept here, not at the server.
	finish(run) {
		run.over = true;
		setTimeout(() => this.link.send({ t: "unwatch", run: run.id }), 700);
	}

	frame(f) {
		if (!this.run || f.run !== this.run.id) return;
		this.run.frame(f);
		this.dirty = true;
	}

	logged(m) {
		if (this.run?.id !== m.run) return;
		this.run.lines(m);
		this.dirty = true;
	}

	// -- what the user does

	load({ name, text, about }) {
		Object.assign(this, { name, about: about || "", origin: { name, text } });
		this.editor.text = text;
		this.caption(this.about);
	}

	launch(s, move = true) {
		if (s.node && !this.node && this.hello.nodes.length) {
			this.node = this.hello.nodes[0];
			this.top.greet(this.hello);
			this.editor.loadProbes();
		}
		this.load(s);
		if (s.view && this.views[s.view] && (move || this.route === "heatmap")) this.go(s.view);
		this.start();
	}

	pick(i) {
		const s = this.hello?.scripts[i];
		if (!s) return;
		if (this.route === "editor") this.load(s);
		else this.launch(s);
	}

	choose(node) {
		this.node = node;
		this.editor.loadProbes();
		this.editor.recheck();
		this.dirty = true;
	}

	// The part of a message that says where to run: one node, or several ("*" each by itself, "+" merged).
	where() {
		if (this.node === "*" || this.node === "+") return { nodes: this.hello.nodes, merged: this.node === "+" };
		return this.node ? { node: this.node } : {};
	}

	// Where a script is checked and probes are looked up.
	one() {
		return this.where().nodes ? { node: this.hello.nodes[0] } : this.where();
	}

	// A changed script no longer has the name that it was loaded by.
	edited() {
		const same = this.origin && this.editor.text === this.origin.text,
			name = this.origin?.name ?? "script";
		this.name = same || !this.origin ? name : `${name}, changed`;
		this.caption(same ? this.about : "");
		this.dirty = true;
	}

	caption(about) {
		this.top.caption.replaceChildren(h("b", {}, tame(this.name, 80)), " ", tame(about, 300));
	}

	checked(m) {
		const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
		this.top.check.className = m.ok ? "check ok" : "check bad";
		this.top.check.textContent = m.ok
			? `compiles: ${count(m.clauses, "clause")}, ${count(m.matches, "probe")}`
			: tame(m.diag ? `line ${m.diag.line}: ${m.diag.msg}` : m.msg, 400);
	}

	leave() {
		if (this.run && !this.run.over) this.link.send({ t: "unwatch", run: this.run.id });
		this.run = this.chosen = null;
		for (const v of Object.values(this.views)) v.forget?.();
	}

	async start() {
		const script = this.editor.text,
			keep = this.linked ? this.chosen : null;
		this.top.quiet();
		this.linked = false;
		this.leave();
		this.chosen = keep;
		try {
			const m = await this.link.ask({ t: "start", name: this.name, script, ...this.where(), interval: this.interval });
			this.run = new Run(m.run);
			this.run.info = {
				id: m.run,
				state: "starting",
				script,
				node: this.where().node ?? null,
				name: this.name,
				interval: this.interval,
			};
			this.remember(script);
		} catch (e) {
			this.say(e.message);
		}
		this.state();
		this.dirty = true;
	}

	remember(script) {
		const recent = memory.get("recent", []).filter((r) => r.text !== script);
		memory.set(
			"recent",
			[{ name: this.name, text: script, view: this.route === "editor" ? "heatmap" : this.route }, ...recent].slice(0, RECENT),
		);
	}

	stop() {
		if (this.run && !this.run.over) this.link.send({ t: "stop", run: this.run.id });
	}

	async join(info) {
		this.leave();
		this.run = new Run(info.id, true);
		this.run.info = info;
		this.state();
		try {
			const m = await this.link.ask({ t: "watch", run: info.id });
			this.run.info.script = m.script;
			this.load({ name: info.name, text: m.script, about: "Started by another page; it ends when the last page is closed." });
		} catch {
			// the last page of it has just gone
			if (this.run?.id === info.id) this.first();
		}
	}

	joinById(id) {
		const r = this.runs.find((x) => x.id === id);
		if (r) this.join(r);
	}

	share() {
		const view = { interval: this.interval, node: this.node || undefined, agg: this.chosen ?? undefined };
		for (const [name, v] of Object.entries(this.views)) if (v.settings) view[name] = v.settings();
		const url = `${location.origin}/${this.route}${toHash(this.editor.text, view)}`;
		history.replaceState(null, "", url);
		const told = (where) =>
			this.say(`The link ${where}. It carries the script and the view, not the data; who opens it needs access to this server.`);
		navigator.clipboard?.writeText(url).then(
			() => told("was copied"),
			() => told("is in the address bar"),
		);
	}

	chooseAgg(id) {
		this.chosen = id;
		const a = this.run?.aggs.get(id);
		if (a && this.route === "heatmap" && !a.isDistribution) this.go("list");
		this.dirty = true;
	}

	// -- for the views

	agg(wanted) {
		const all = this.run ? [...this.run.aggs.values()] : [],
			chosen = all.find((a) => a.id === this.chosen);
		return chosen && wanted(chosen) ? chosen : all.find(wanted) || null;
	}

	// Text to show instead of a picture.
	waiting(otherwise) {
		if (!this.run) return "Nothing runs. Press Start.";
		if (this.run.info?.state === "failed") return "The script did not start.";
		return this.run.frames ? otherwise : "Waiting for the first numbers …";
	}

	state() {
		this.top.state(this.online ? this.run?.info?.state || "idle" : "offline", this.run?.info, this.cpu, this.run?.status?.omitted);
	}
}
