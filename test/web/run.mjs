// node test/web/run.mjs PROGRAM [protocol|hostile|fuzz|page|node]: the tests of the page and its server.
// NODE_PATH: where ws and playwright-core are. CHROMIUM: the browser. ONLY: tests with this in their name. FUZZ_SECONDS, SEED: of the random input.
// SUBJECT: of the page, one of test/web/page_*.mjs. COUNTS: a file for "passed failed skipped".
import { hasChromium, summary, test } from "./lib.mjs";

const [program, part] = process.argv.slice(2);
if (!part || part === "protocol") await (await import("./protocol.mjs")).protocolTests(program);
if (!part || part === "protocol" || part === "hostile") await (await import("./hostile.mjs")).hostileTests(program);
if (!part || part === "protocol" || part === "fuzz") await (await import("./fuzz.mjs")).fuzzTests(program);
if (!part || part === "page") await (await import("./page.mjs")).pageTests(program);
if (!part || part === "node") await (await import("./node.mjs")).nodeTests(program);
if (!part || part === "node") {
	if (hasChromium()) await (await import("./page_node.mjs")).nodePageTests(program);
	else await test("the page on a node", null, "Chromium is not installed");
}
process.exit(summary());
