// The editor: CodeMirror with D, errors under the token as one types, and completion.
import { EditorState, Compartment } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { HighlightStyle, syntaxHighlighting, bracketMatching, indentUnit } from "@codemirror/language";
import { linter, lintKeymap, forceLinting } from "@codemirror/lint";
import { tags as t } from "@lezer/highlight";
import { h } from "./dom.js";
import { dlang, KEYWORDS, BUILTINS, AGGS, ACTIONS } from "./dlang.js";

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
	"&": { height: "100%", fontSize: "13px", backgroundColor: "var(--field)", color: "var(--fg)" },
	".cm-content": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", caretColor: "var(--fg)" },
	".cm-gutters": { backgroundColor: "var(--field)", color: "var(--dim)", border: "none" },
	".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
	".cm-cursor": { borderLeftColor: "var(--fg)" },
	"&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
	".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--fg)", border: "1px solid var(--edge)" },
	".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--bg)" },
	".cm-lintRange-error": { textDecoration: "underline wavy var(--bad)", backgroundImage: "none" },
});

export class Editor {
	constructor(app, text) {
		this.app = app;
		this.probes = [];
		this.el = h("div", { class: "code" });
		// In a shadow root CodeMirror brings its styles without style elements, which the page's policy forbids.
		const root = this.el.attachShadow({ mode: "open" }), host = document.createElement("div");
		host.style.height = "100%";
		root.append(host);
		this.editable = new Compartment();
		this.view = new EditorView({
			parent: host,
			root,
			state: EditorState.create({
				doc: text,
				extensions: [lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), indentUnit.of("\t"), EditorState.tabSize.of(4), dlang, syntaxHighlighting(style), theme,
					EditorView.contentAttributes.of({ "aria-label": "D script" }),
					linter((v) => this.lint(v), { delay: 350 }),
					autocompletion({ override: [(c) => this.complete(c)] }),
					keymap.of([{ key: "Mod-Enter", run: () => { app.start(); return true; } }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
					EditorView.updateListener.of((u) => { if (u.docChanged) app.edited(); })],
			}),
		});
	}

	get text() { return this.view.state.doc.toString(); }
	set text(s) {
		if (s !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: s } });
		forceLinting(this.view);
	}

	async lint(view) {
		const text = view.state.doc.toString();
		if (!text.trim()) return [];
		let m;
		try {
			m = await this.app.link.ask({ t: "check", script: text, node: this.app.node || undefined });
		} catch {
			return [];
		}
		this.app.checked(m);
		if (m.ok) return [];
		const d = m.diag, doc = view.state.doc;
		if (!d || !d.line) return [{ from: 0, to: 0, severity: "error", message: m.msg }];
		const line = doc.line(Math.min(d.line, doc.lines)), from = Math.min(line.from + Math.max(0, d.col - 1), line.to);
		return [{ from, to: Math.max(from, Math.min(from + Math.max(1, d.len), line.to)), severity: "error", message: d.hint ? `${d.msg}\n${d.hint}` : d.msg }];
	}

	async loadProbes() {
		try {
			const m = await this.app.link.ask({ t: "probes", desc: "", node: this.app.node || undefined });
			if (m.ok) this.probes = m.probes;
		} catch {
			this.probes = [];
		}
	}

	complete(c) {
		const before = c.state.doc.sliceString(0, c.pos);
		const depth = (before.match(/{/g) || []).length - (before.match(/}/g) || []).length;
		const word = c.matchBefore(depth > 0 ? /@?\w+/ : /[\w:*-]+/);
		if (!word && !c.explicit) return null;
		const from = word ? word.from : c.pos;
		if (depth <= 0)
			return { from, options: this.probes.map(([p, mod, fn, name, args]) => ({ label: p === "dtrace" || p === "profile" ? name : `${p.replace(/\d+$/, "*")}:${mod}:${fn}:${name}`, type: "type", detail: args.join(", ") })) };
		const aggs = [...new Set(before.match(/@\w+/g) || [])];
		return { from, options: [...Object.entries(AGGS).map(([label, info]) => ({ label, type: "function", detail: info, apply: `${label}(` })), ...Object.entries(ACTIONS).map(([label, info]) => ({ label, type: "function", detail: info, apply: `${label}(` })), ...BUILTINS.map((label) => ({ label, type: "constant" })), ...KEYWORDS.map((label) => ({ label, type: "keyword" })), ...aggs.map((label) => ({ label, type: "variable" }))] };
	}
}
