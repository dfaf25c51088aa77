// D for the editor: colours.
import { StreamLanguage } from "@codemirror/language";
import { KEYWORDS, BUILTINS } from "./dwords.js";

const kw = new Set(KEYWORDS);
const PROBE = /^[\w$*?[\]\-\\.]*:[\w$*?[\]\-\\.:/]*/;

export const dlang = StreamLanguage.define({
	name: "d",
	startState: () => ({ comment: false, depth: 0 }),
	token(s, st) {
		if (st.comment) {
			if (s.skipTo("*/")) {
				s.match("*/");
				st.comment = false;
			} else s.skipToEnd();
			return "comment";
		}
		if (s.eatSpace()) return null;
		if (s.match("/*")) {
			st.comment = true;
			return "comment";
		}
		if (s.sol() && s.peek() === "#") {
			s.skipToEnd();
			return "meta";
		}
		if (s.match(/^"(?:[^"\\]|\\.)*"?/) || s.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
		if (s.match(/^@\w*/)) return "variableName.special";
		if (s.match(/^\$\$?\w+/)) return "variableName.constant";
		if (st.depth === 0 && s.match(PROBE)) return "typeName";
		if (s.match(/^(?:0x[\da-fA-F]+|\d+)(?:[uUlL]*|ns|us|ms|s|m|h|d|hz)?\b/)) return "number";
		if (s.match(/^[A-Za-z_]\w*/)) return word(s, st);
		const c = s.next();
		if (c === "{") st.depth++;
		else if (c === "}") st.depth = Math.max(0, st.depth - 1);
		return /[-+*/%<>=!&|^~?:]/.test(c) ? "operator" : null;
	},
	languageData: { commentTokens: { block: { open: "/*", close: "*/" } } },
});

function word(s, st) {
	const w = s.current();
	if (st.depth === 0 && (s.match(/^-[\w-]+/, false) || /^(BEGIN|END|ERROR)$/.test(w))) {
		s.match(/^[\w-]*/);
		return "typeName";
	}
	if (kw.has(w)) return "keyword";
	if (w in BUILTINS) return "atom";
	return s.match(/^\s*\(/, false) ? "variableName.function" : "variableName";
}
