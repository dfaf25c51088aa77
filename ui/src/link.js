// The websocket: docs/protocol.md. It reconnects by itself when the connection is lost. A silent connection counts as
// lost, because the server says something at least once a second.

import { memory } from "./memory.js";

const SILENT = 4000,
	LOOK = 500,
	FIRST = 250,
	LONGEST = 5000; // ms

// The second secret of this browser's session. It comes once, behind the # of the address, and stays in storage that
// belongs to this origin. Cookies go to every port of a host; this does not.
function takeKey() {
	const given = /^#key=([0-9a-f]+)$/.exec(location.hash)?.[1];
	if (!given) return;
	memory.set("key", given);
	history.replaceState(null, "", location.pathname);
}

export class Link extends EventTarget {
	constructor() {
		super();
		takeKey();
		Object.assign(this, { req: 0, waiting: new Map(), delay: FIRST, heard: 0, silent: 0 });
		this.connect();
		setInterval(() => this.watch(), LOOK);
	}

	connect() {
		const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
		let over = false;
		this.ws = ws;
		this.heard = Date.now();
		this.drop = () => {
			if (over) return;
			over = true;
			ws.onmessage = null;
			ws.close();
			for (const { reject } of this.waiting.values()) reject(new Error("the connection was lost"));
			this.waiting.clear();
			this.emit("lost", {});
			if (this.ended) return;
			setTimeout(() => this.connect(), this.delay);
			this.delay = Math.min(this.delay * 2, LONGEST);
		};
		ws.onopen = () => this.send({ t: "enter", key: memory.get("key", "") });
		ws.onclose = this.drop;
		ws.onmessage = (e) => {
			this.delay = FIRST;
			this.take(e.data);
		};
	}

	// Ends the session, here and at the server, and with it all pages of this browser.
	leave() {
		this.ended = true;
		memory.remove("key");
		this.send({ t: "leave" });
	}

	// Silent twice in a row: a page that was asleep itself first hears what came meanwhile.
	watch() {
		this.silent = Date.now() - this.heard > SILENT ? this.silent + 1 : 0;
		if (this.silent >= 2 && !this.ended) this.drop();
	}

	emit(type, detail) {
		this.dispatchEvent(new CustomEvent(type, { detail }));
	}

	take(data) {
		const m = JSON.parse(data);
		this.heard = Date.now();
		// Acknowledged after it was processed: a busy page gets less data, not late data.
		if (m.t === "frame" || m.t === "log") {
			this.emit(m.t, m);
			this.send({ t: "ack" });
			return;
		}
		const w = m.req && this.waiting.get(m.req);
		if (w) {
			this.waiting.delete(m.req);
			if (m.t === "error") w.reject(new Error(m.msg));
			else w.resolve(m);
		} else this.emit(m.t, m);
	}

	send(m) {
		if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(m));
	}

	ask(m) {
		if (this.ws.readyState !== WebSocket.OPEN) return Promise.reject(new Error("not connected"));
		const req = ++this.req;
		return new Promise((resolve, reject) => {
			this.waiting.set(req, { resolve, reject });
			this.send({ ...m, req });
		});
	}
}
