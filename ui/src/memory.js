// What the browser keeps for the next visit, and what a link carries.

export const memory = {
	get(k, otherwise) {
		try {
			return JSON.parse(localStorage.getItem(`erltrace.${k}`)) ?? otherwise;
		} catch {
			return otherwise;
		}
	},
	remove(k) {
		try {
			localStorage.removeItem(`erltrace.${k}`);
		} catch {
			/* there is none */
		}
	},
	set(k, v) {
		try {
			localStorage.setItem(`erltrace.${k}`, JSON.stringify(v));
		} catch {
			/* private windows keep nothing */
		}
	},
};

const pack = (s) => {
	let bytes = "";
	for (const b of new TextEncoder().encode(s)) bytes += String.fromCharCode(b);
	return btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};
const unpack = (s) => new TextDecoder().decode(Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));

// #s=script&v=view, both packed. The part after # is never sent to a server.
export const toHash = (script, view) => `#s=${pack(script)}&v=${pack(JSON.stringify(view))}`;

// Returns { script, view } of an address, or null if it carries none. Throws if it is not a valid link.
export function fromHash(hash) {
	const given = new URLSearchParams(hash.slice(1));
	if (!given.get("s")) return null;
	return { script: unpack(given.get("s")), view: given.get("v") ? JSON.parse(unpack(given.get("v"))) : {} };
}
