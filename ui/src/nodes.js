// Which nodes there are, and what tracing does on each.
import { h, button, full, tame, theme, sized } from "./dom.js";
import { measure, percent } from "./units.js";
import { SPARK } from "./store.js";
import { sheet } from "./sheet.js";

const SCRIPTS = ["script", "where", "state", "pages", "every", "probes", "events/s", "drops"];
const LINE = 5; // the column of sparklines, after events/s
const TITLES = ["where", "state", "probes", "scripts", "events/s", "drops", "errors", "overhead", "guard"];

export class Nodes {
	constructor(app) {
		Object.assign(this, { app, answers: new Map(), past: new Map(), asking: false });
		this.body = h("tbody");
		this.scripts = h("tbody");
		this.note = h("p", { class: "note" });
		const head = h(
			"tr",
			{},
			TITLES.map((t, i) => h("th", { scope: "col", class: i < 2 ? "left" : "" }, t)),
		);
		head.insertBefore(h("th", { scope: "col" }, `last ${SPARK} s`), head.children[LINE]);
		this.el = h(
			"div",
			{ class: "view nodes" },
			h(
				"div",
				{ class: "bar" },
				button("Look again", "Ask the nodes again", () => this.ask()),
			),
			h(
				"div",
				{ class: "scroll", tabindex: "0", role: "region", "aria-label": "Nodes and scripts" },
				h("table", {}, h("thead", {}, head), this.body),
				h("h2", {}, "Scripts"),
				h(
					"table",
					{},
					h(
						"thead",
						{},
						h(
							"tr",
							{},
							SCRIPTS.map((t, i) => h("th", { scope: "col", class: i < 3 ? "left" : "" }, t)),
							h("th", { scope: "col" }, ""),
						),
					),
					this.scripts,
				),
			),
			this.note,
		);
	}

	shown() {
		if (!this.answers.size) this.ask();
	}

	async ask() {
		if (this.asking || !this.app.hello?.nodes.length) return;
		this.asking = true;
		this.answers.clear();
		this.draw();
		try {
			const m = await this.app.link.ask({ t: "nodes" });
			for (const n of m.nodes) this.answers.set(n.name, n);
		} catch (e) {
			this.app.say(e.message);
		}
		this.asking = false;
		this.draw();
	}

	// The sum of the scripts on a node; null means in this server.
	now(node) {
		const all = this.app.runs.map((r) => partOf(r, node)).filter(Boolean),
			here = all.filter((r) => r.state === "running");
		const sum = (k) => here.reduce((s, r) => s + (r[k] || 0), 0);
		const overhead = here.some((r) => typeof r.overhead === "number") ? sum("overhead") : null;
		const limits = here.map((r) => r.limit).filter((l) => typeof l === "number" && l > 0);
		const guard = all.some((r) => r.guard) ? "tripped" : node && limits.length ? `armed, ${Math.min(...limits)} %` : "–";
		return {
			lost: all.find((r) => r.state === "failed" && r.why),
			scripts: here.length,
			probes: sum("matches"),
			rate: sum("rate"),
			drops: sum("drops"),
			errors: sum("errors"),
			overhead,
			guard,
		};
	}

	// Called once a second, whether the view is visible or not.
	tick() {
		for (const node of [null, ...(this.app.hello?.nodes || [])]) {
			const line = this.past.get(node) || new Float64Array(SPARK);
			line.copyWithin(0, 1);
			line[SPARK - 1] = this.now(node).rate;
			this.past.set(node, line);
		}
	}

	rows() {
		const nodes = this.app.hello?.nodes || [];
		return [null, ...nodes].map((node) => {
			const a = this.answers.get(node),
				n = this.now(node);
			const state = !this.app.online
				? "no connection"
				: n.scripts
					? "tracing"
					: n.lost
						? tame(n.lost.why, 500)
						: node === null
							? "ready"
							: !a
								? "asking …"
								: a.ok
									? `connected in ${full(a.ms)} ms`
									: tame(a.msg, 500);
			const probes = n.scripts ? `${full(n.probes)}${a?.ok ? ` of ${full(a.probes)}` : ""}` : a?.ok ? full(a.probes) : "–";
			const cells = [
				node === null ? "this server" : tame(node),
				state,
				probes,
				n.scripts,
				measure(+n.rate.toPrecision(4)),
				full(n.drops),
				full(n.errors),
				n.overhead === null ? "–" : percent(n.overhead),
				n.guard,
			];
			return {
				node,
				cells,
				bad: [
					false,
					!n.scripts && (!!n.lost || (!!a && !a.ok)),
					false,
					false,
					false,
					n.drops > 0,
					n.errors > 0,
					false,
					n.guard === "tripped",
				],
			};
		});
	}

	draw() {
		const rows = this.rows(),
			css = theme();
		while (this.body.rows.length > rows.length) this.body.deleteRow(-1);
		rows.forEach((r, i) => {
			let tr = this.body.rows[i];
			if (!tr) {
				tr = this.body.insertRow();
				tr.append(...TITLES.map((_, j) => h("td", { class: j < 2 ? "left" : "" })));
				tr.insertBefore(h("td", {}, h("canvas", { role: "img" })), tr.children[LINE]);
			}
			r.cells.forEach((t, j) => {
				const td = tr.cells[j < LINE ? j : j + 1];
				td.textContent = String(t);
				td.classList.toggle("bad", r.bad[j]);
				td.classList.toggle("wrap", j === 1);
			});
			this.spark(tr.cells[LINE].firstChild, this.past.get(r.node), css.accent);
		});
		this.drawScripts();
		const pages = this.app.clients || 1;
		this.note.textContent = `The server uses ${((this.app.cpu || 0) * 100).toFixed(1)} % of a CPU; ${pages} page${pages === 1 ? "" : "s"} open. Overhead is what tracing takes, the VM's own part included, of one scheduler, in the kernel of one CPU; the guard ends a script that takes more than its limit (option maxoverhead).${this.app.hello?.nodes.length ? "" : " No Erlang node was given: start the server with -N NODE."}${this.app.hello?.kernel ? " Scripts may see the kernel and other processes (--kernel)." : ""}`;
	}

	// Rows stay as long as the same scripts run, so that their buttons keep the focus.
	drawScripts() {
		const runs = this.app.runs,
			ids = runs.map((r) => r.id).join();
		if (this.had !== ids)
			this.scripts.replaceChildren(
				...runs.map((r) =>
					h(
						"tr",
						{},
						SCRIPTS.map((_, i) => h("td", { class: i < 3 ? "left wrap" : "" })),
						h(
							"td",
							{},
							button("Watch", `watch ${tame(r.name, 60)}`, () => this.app.joinById(r.id)),
							" ",
							button("Stop", `stop ${tame(r.name, 60)}`, () => this.app.link.send({ t: "stop", run: r.id })),
						),
					),
				),
			);
		this.had = ids;
		runs.forEach((r, i) => {
			const cells = [
				tame(r.name, 60),
				whereOf(r),
				`${r.state}${r.why ? `: ${tame(r.why, 200)}` : ""}`,
				r.watchers,
				measure(r.interval, "ms"),
				full(r.matches),
				measure(+r.rate.toPrecision(4)),
				full(r.drops),
			];
			const tr = this.scripts.rows[i];
			cells.forEach((t, j) => (tr.cells[j].textContent = String(t)));
			const [watch, stop] = tr.lastChild.children,
				going = r.state === "running" || r.state === "starting";
			watch.hidden = r.id === this.app.run?.id || !going;
			stop.hidden = !going;
		});
	}

	spark(canvas, values, colour) {
		const c = sized(canvas, 60, 18);
		c.clearRect(0, 0, 60, 18);
		c.fillStyle = colour;
		const max = values ? Math.max(...values) : 0;
		for (let j = 0; max && j < SPARK; j++) {
			const tall = (values[j] / max) * 18;
			if (tall > 0) c.fillRect(j, 18 - Math.max(1, tall), 0.8, Math.max(1, tall));
		}
		canvas.setAttribute("aria-label", `events a second, at most ${measure(max)}`);
	}

	toSvg() {
		return sheet(
			TITLES,
			this.rows().map((r) => r.cells),
			new Set([0, 1]),
		);
	}
}

const whereOf = (r) => tame((r.nodes || []).map((n) => n.name ?? "this server").join(", "), 120);

// The part of a script that runs on a node: one script may run on several.
const partOf = (run, node) => (run.nodes || []).find((n) => n.name === node) ?? null;
