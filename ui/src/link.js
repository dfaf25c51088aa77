// The websocket: docs/protocol.md. Comes back by itself when the connection is lost.

export class Link extends EventTarget {
	constructor() {
		super();
		this.req = 0;
		this.waiting = new Map();
		this.delay = 250;
		this.connect();
	}

	connect() {
		const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
		this.ws = ws;
		ws.onopen = () => {
			this.delay = 250;
			this.emit("open");
		};
		ws.onclose = () => {
			for (const { reject } of this.waiting.values()) reject(new Error("the connection was lost"));
			this.waiting.clear();
			this.emit("lost");
			setTimeout(() => this.connect(), this.delay);
			this.delay = Math.min(this.delay * 2, 5000);
		};
		ws.onmessage = (e) => this.take(e.data);
	}

	emit(type, detail) {
		this.dispatchEvent(new CustomEvent(type, { detail }));
	}

	take(data) {
		const m = JSON.parse(data);
		// Acknowledged when it was dealt with: a busy page gets less, not later.
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
