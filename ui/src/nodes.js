// Which nodes there are, and what tracing does on each.
import { h, button, short, full, tame } from "./dom.js";

export class Nodes {
	constructor(app) {
		Object.assign(this, { app, answers: new Map(), asking: false });
		this.body = h("tbody");
		this.note = h("p", { class: "dim" });
		this.el = h("div", { class: "view" },
			h("div", { class: "bar" }, button("Look again", "Ask the nodes again", () => this.ask())),
			h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["where", "state", "probes", "scripts", "events/s", "drops", "errors", "guard"].map((t, i) => h("th", { scope: "col", class: i < 2 ? "left" : "" }, t)))), this.body)), this.note);
	}

	shown() {
		if (!this.answers.size) this.ask();
	}

	async ask() {
		if (this.asking) return;
		this.asking = true;
		try {
			const m = await this.app.link.ask({ t: "nodes" });
			for (const n of m.nodes) this.answers.set(n.name, n);
		} catch (e) {
			this.app.say(e.message);
		}
		this.asking = false;
		this.draw();
	}

	draw() {
		const runs = this.app.runs;
		const line = (name, node, state, probes) => {
			const here = runs.filter((r) => (r.node || null) === node && r.state === "running");
			const sum = (k) => here.reduce((s, r) => s + r[k], 0);
			const tripped = runs.some((r) => (r.node || null) === node && r.guard);
			return h("tr", {}, h("td", { class: "left" }, tame(name)), h("td", { class: "left wrap" }, here.length ? "tracing" : state), ...[probes, here.length, short(sum("rate")), full(sum("drops")), full(sum("errors")), tripped ? "tripped" : node && here.length ? "armed" : "–"].map((t) => h("td", {}, String(t))));
		};
		this.body.replaceChildren(line("this server", null, "ready", "–"),
			...(this.app.hello?.nodes || []).map((n) => {
				const a = this.answers.get(n);
				return line(n, n, a ? (a.ok ? "reachable" : tame(a.msg, 500)) : "asking …", a?.ok ? full(a.probes) : "–");
			}));
		this.note.textContent = `The server uses ${((this.app.cpu || 0) * 100).toFixed(1)} % of a CPU; ${this.app.clients || 1} page${this.app.clients === 1 ? "" : "s"} open.${this.app.hello?.nodes.length ? "" : " No Erlang node was given: start the server with -N NODE."}`;
	}
}
