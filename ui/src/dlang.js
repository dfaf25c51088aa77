// D for the editor: colours, and what can be completed.
import { StreamLanguage } from "@codemirror/language";

const words = (s) => s.trim().split(/\s+/);
export const KEYWORDS = words("self this inline if else sizeof stringof offsetof translator provider typedef struct union enum int char short long unsigned signed void string uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t");
export const BUILTINS = words("arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 args caller cpu curthread cwd epid errno execname gid id ipl node pid ppid probefunc probemod probename probeprov stackdepth tid timestamp ucaller uid uregs ustackdepth vtimestamp walltimestamp");
export const AGGS = { count: "number of events", sum: "total", avg: "mean", min: "least", max: "largest", stddev: "standard deviation", quantize: "distribution by powers of two", lquantize: "linear distribution: value, low, high, step", llquantize: "log-linear distribution: value, factor, low, high, steps" };
export const ACTIONS = { printf: "prints by a format", trace: "prints a value", printa: "prints an aggregation", exit: "ends the script", clear: "empties an aggregation", trunc: "removes all but the largest", normalize: "divides what is shown", stack: "stack of the process", ustack: "user stack", jstack: "user stack with names", copyinstr: "text at an address", copyin: "bytes at an address", strlen: "length of text", strjoin: "joins two texts", strtok: "takes text apart", substr: "part of a text", strstr: "finds text", index: "place of a text in another", rand: "a random number", speculate: "begins a speculation", speculation: "a new speculation", commit: "keeps a speculation", discard: "drops a speculation", tracemem: "prints memory", json: "a member of a JSON text", lltostr: "a number as text" };

const kw = new Set(KEYWORDS), bi = new Set(BUILTINS);

export const dlang = StreamLanguage.define({
	name: "d",
	startState: () => ({ comment: false, depth: 0 }),
	token(s, st) {
		if (st.comment) {
			if (s.skipTo("*/")) { s.next(); s.next(); st.comment = false; } else s.skipToEnd();
			return "comment";
		}
		if (s.eatSpace()) return null;
		if (s.match("/*")) { st.comment = true; return "comment"; }
		if (s.sol() && s.peek() === "#") { s.skipToEnd(); return "meta"; }
		if (s.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
		if (s.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
		if (s.match(/^@[A-Za-z_]\w*|^@/)) return "variableName.special";
		if (s.match(/^\$\$?\w+/)) return "variableName.constant";
		if (st.depth === 0 && s.match(/^[\w$*?[\]\-\\.]*:[\w$*?[\]\-\\.:/]*/)) return "typeName";
		if (s.match(/^(?:0x[\da-fA-F]+|\d+)(?:[uUlL]*|ns|us|ms|s|m|h|d|hz)?\b/)) return "number";
		if (s.match(/^[A-Za-z_]\w*/)) {
			const w = s.current();
			if (st.depth === 0 && (s.match(/^-[\w-]+/, false) || /^(BEGIN|END|ERROR)$/.test(w))) { s.match(/^[\w-]*/); return "typeName"; }
			if (kw.has(w)) return "keyword";
			if (bi.has(w)) return "atom";
			return s.match(/^\s*\(/, false) ? "variableName.function" : "variableName";
		}
		const c = s.next();
		if (c === "{") st.depth++;
		else if (c === "}") st.depth = Math.max(0, st.depth - 1);
		return /[-+*/%<>=!&|^~?:]/.test(c) ? "operator" : null;
	},
	languageData: { commentTokens: { block: { open: "/*", close: "*/" } } },
});
