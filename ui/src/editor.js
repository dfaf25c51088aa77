// The editor: CodeMirror with D, errors under the token as one types, and completion.
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine, tooltips } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentMore, indentLess } from "@codemirror/commands";
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { HighlightStyle, syntaxHighlighting, bracketMatching, indentUnit } from "@codemirror/language";
import { linter, lintKeymap, forceLinting } from "@codemirror/lint";
import { tags as t } from "@lezer/highlight";
import { h } from "./dom.js";
import { dlang } from "./dlang.js";
import { depthOf, KEYWORDS, BUILTINS, FUNCTIONS } from "./dwords.js";

const PROBES = 4000; // most probes that the server lists

const style = HighlightStyle.define([
	{ tag: t.comment, color: "var(--dim)", fontStyle: "italic" },
	{ tag: t.string, color: "var(--c-string)" },
	{ tag: t.number, color: "var(--c-number)" },
	{ tag: [t.keyword, t.meta], color: "var(--c-keyword)" },
	{ tag: t.atom, color: "var(--c-builtin)" },
	{ tag: t.typeName, color: "var(--c-probe)", fontWeight: "600" },
	{ tag: t.special(t.variableName), color: "var(--c-agg)", fontWeight: "600" },
	{ tag: t.function(t.variableName), color: "var(--c-builtin)" },
]);

const theme = EditorView.theme({
	"&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--field)", color: "var(--fg)" },
	"&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
	".cm-content": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", caretColor: "var(--fg)" },
	".cm-gutters": { backgroundColor: "var(--field)", color: "var(--dim)", border: "none" },
	".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
	".cm-cursor": { borderLeftColor: "var(--fg)" },
	"&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
		backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important",
	},
	".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--fg)", border: "1px solid var(--edge)", borderRadius: "6px" },
	".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--bg)" },
	".cm-completionDetail": { fontStyle: "normal", opacity: "0.75" },
	".cm-diagnostic": { whiteSpace: "pre-wrap" },
	".cm-lintRange-error": { textDecoration: "underline wavy var(--bad)", backgroundImage: "none" },
});

const fixed = (names, type, call) =>
	Object.entries(names).map(([label, detail]) => ({ label, detail, type, apply: call ? `${label}(` : label }));
const WORDS = [
	...fixed(FUNCTIONS, "function", true),
	...fixed(BUILTINS, "constant", false),
	...KEYWORDS.map((label) => ({ label, type: "keyword" })),
];

export class Editor {
	constructor(app) {
		Object.assign(this, { app, probes: [], all: true, tabs: true });
		this.el = h("div", { class: "code" });
		// In a shadow root CodeMirror adds its styles without style elements, which the page's policy forbids.
		const root = this.el.attachShadow({ mode: "open" }),
			host = document.createElement("div");
		host.style.height = "100%";
		root.append(host);
		this.view = new EditorView({ parent: host, root, state: EditorState.create({ extensions: this.extensions() }) });
	}

	extensions() {
		return [
			lineNumbers(),
			history(),
			drawSelection(),
			highlightActiveLine(),
			bracketMatching(),
			indentUnit.of("\t"),
			EditorState.tabSize.of(4),
			dlang,
			syntaxHighlighting(style),
			theme,
			tooltips({ position: "fixed" }),
			EditorView.contentAttributes.of({ "aria-label": "D script. Escape, then Tab leaves it." }),
			linter((v) => this.lint(v), { delay: 300 }),
			autocompletion({ override: [(c) => this.complete(c)], maxRenderedOptions: 60 }),
			keymap.of([
				{ key: "Mod-Enter", run: () => (this.app.start(), true) },
				// Tab indents. After Escape it moves to the next control, so that nobody gets stuck in
				// here.
				{ key: "Tab", run: (v) => this.tabs && indentMore(v), shift: (v) => this.tabs && indentLess(v) },
				...completionKeymap,
				...defaultKeymap,
				...historyKeymap,
				...lintKeymap,
				{ key: "Escape", run: () => ((this.tabs = false), false) },
			]),
			EditorView.domEventHandlers({ blur: () => ((this.tabs = true), false) }),
			EditorView.updateListener.of((u) => {
				if (!u.docChanged) return;
				this.tabs = true;
				this.app.edited();
			}),
		];
	}

	get text() {
		return this.view.state.doc.toString();
	}

	set text(s) {
		if (s !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: s } });
		this.recheck();
	}

	recheck() {
		forceLinting(this.view);
	}

	// The server compiles it, but does not run it.
	async lint(view) {
		const doc = view.state.doc,
			text = doc.toString();
		if (!text.trim()) return [];
		let m;
		try {
			m = await this.app.link.ask({ t: "check", script: text, ...this.app.one() });
		} catch {
			return [];
		}
		if (m.replaced) return [];
		if (this.text === text) this.app.checked(m);
		if (m.ok) return [];
		const d = m.diag;
		if (!d || !d.line) return [{ from: 0, to: 0, severity: "error", message: m.msg }];
		const line = doc.line(Math.min(d.line, doc.lines)),
			from = Math.min(line.from + Math.max(0, d.col - 1), line.to);
		const to = Math.max(from, Math.min(from + Math.max(1, d.len), line.to));
		return [{ from, to, severity: "error", message: d.hint ? `${d.msg}\n${d.hint}` : d.msg }];
	}

	// Returns null if a newer question replaced it.
	async list(desc) {
		try {
			const m = await this.app.link.ask({ t: "probes", desc, ...this.app.one() });
			return m.ok ? m.probes : m.replaced ? null : [];
		} catch {
			return [];
		}
	}

	async loadProbes() {
		const all = await this.list("");
		if (!all) return;
		this.probes = all;
		this.all = this.probes.length < PROBES;
	}

	async complete(c) {
		const before = c.state.doc.sliceString(0, c.pos),
			outside = depthOf(before) <= 0;
		const word = c.matchBefore(outside ? /[\w:*.?/-]+/ : /@?\w+/);
		if (!word && !c.explicit) return null;
		const from = word ? word.from : c.pos;
		if (!outside) {
			const own = [...new Set(before.match(/@\w+|\b(?:self|this)->\w+/g) || [])].map((label) => ({ label, type: "variable" }));
			return { from, options: [...own, ...this.aggregations(), ...WORDS], validFor: /^@?\w*$/ };
		}
		const probes = this.all || !word?.text.includes(":") ? this.probes : ((await this.list(this.pattern(word.text))) ?? []);
		return { from, options: probes.map((p) => this.probe(p)), validFor: this.all ? /^[\w:*.?/-]*$/ : undefined };
	}

	aggregations() {
		const names = (this.app.hello?.aggregations || []).map((a) => [a.name, a.help]);
		return fixed(Object.fromEntries(names), "function", true);
	}

	// Makes a description that matches every probe that the typed text could become.
	pattern(text) {
		const parts = text.split(":");
		parts.push(`${parts.pop()}*`);
		while (parts.length < 4) parts.push("");
		return parts.slice(0, 4).join(":");
	}

	probe([provider, mod, fn, name, args]) {
		const short = provider === "dtrace" || provider === "profile";
		return {
			label: short ? name : `${provider.replace(/^erlang\d+$/, "erlang*")}:${mod}:${fn}:${name}`,
			type: "type",
			detail: args.join(", "),
		};
	}
}
