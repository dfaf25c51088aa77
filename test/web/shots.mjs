// node test/web/shots.mjs PROGRAM FOLDER: pictures of every view, light and dark, as in docs/screens. NODE_PATH,
// CHROMIUM: as for run.mjs. Needs Erlang; takes about two minutes.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { sleep } from "./lib.mjs";
import { startNode } from "./node.mjs";
import { Desk, tab, choose } from "./browser.mjs";
import { shrink } from "./png.mjs";

const [program, folder] = process.argv.slice(2),
	SIZE = { width: 1180, height: 700 };
process.env.SCRIPTS ??= fileURLToPath(new URL("../../scripts", import.meta.url));
mkdirSync(folder, { recursive: true });

const node = await startNode(),
	other = await startNode();
const desk = await Desk.open(program, ["-N", node.name, "-N", other.name, "--cookie", node.cookie]),
	page = desk.first;
await page.setViewportSize(SIZE);
await page.evaluate(() => localStorage.setItem("erltrace.hints", '["heatmap", "flame", "waterfall"]'));
await page.reload();
await page.waitForFunction(() => globalThis.erltrace?.run?.info?.state === "running");

async function shoot(name, prepare = () => {}) {
	for (const theme of ["light", "dark"]) {
		await page.evaluate((t) => {
			document.documentElement.dataset.theme = t;
			erltrace.draw();
		}, theme);
		await prepare();
		await page.evaluate(() => erltrace.draw());
		await sleep(300);
		writeFileSync(path.join(folder, `${name}-${theme}.png`), shrink(await page.screenshot()));
	}
}
const demo = async (name) => {
	await page.selectOption("select[aria-label=Node]", "");
	await page.selectOption("select[aria-label='Ready scripts']", { label: name });
	await page.waitForFunction((n) => erltrace.run?.info?.name === n && erltrace.run.frames > 0, name);
};

// on the nodes
await sleep(12000);
await shoot("heatmap-node");
await page.selectOption("select[aria-label=Node]", "*");
await page.evaluate(() =>
	erltrace.launch({
		name: "calls of lists:seq/2",
		about: "Which processes call it, on which node.",
		text: "#pragma D option maxoverhead=50\n\nerlang*:lists:seq/2:entry\n{\n\t@calls[eproc] = count();\n}\n",
	}),
);
await page.waitForFunction(() => erltrace.run?.info?.nodes?.length && erltrace.run.info.nodes.every((n) => n.state === "running"));
await tab(page, "nodes");
await sleep(25000);
await shoot("nodes");

// on made-up data: 40 s of it in columns of half a second
await page.selectOption("select[aria-label=Interval]", "500");
await demo("demo: request latency");
await tab(page, "heatmap");
await sleep(42000);
await page.evaluate(() => document.activeElement.blur());
await page.keyboard.press(" ");
await shoot("heatmap");
await page.selectOption("select[aria-label='How keys are shown']", "hue");
await shoot("heatmap-hue");
await page.selectOption("select[aria-label='How keys are shown']", "multiples");
await shoot("heatmap-multiples");
await page.selectOption("select[aria-label='How keys are shown']", "merged");
await shoot("heatmap-selected", async () => {
	const box = await page.locator(".plot canvas").boundingBox();
	const at = await page.evaluate(() => {
		const v = erltrace.views.heatmap,
			s = v.drawn.shown.list,
			a = v.panels[0].axis;
		return { x0: s[Math.floor(s.length / 3)].x, x1: s.at(-3).x, y0: a.at(9000), y1: a.at(2600) };
	});
	await page.mouse.move(box.x + at.x0, box.y + at.y0);
	await page.mouse.down();
	await page.mouse.move(box.x + at.x1, box.y + at.y1, { steps: 4 });
	await page.mouse.up();
	await page.mouse.move(5, box.y + 20);
});
await tab(page, "list");
await shoot("list");
await tab(page, "flame");
await choose(page, "@cpu sum()");
await shoot("flame");
await page.evaluate(() => document.activeElement.blur());
await page.selectOption("select[aria-label='Span of time']", "10");
await page.selectOption("select[aria-label='Compared with']", "span");
await shoot("flame-difference");
await tab(page, "log");
await shoot("log");
// requests as scripts/request-path.d would find them
const hop = (at, wait, run, depth, pid, name, what) =>
	`@waterfall[i, ${at}, ${wait}, ${run}, ${depth}, "<0.${pid}.0>", "${name}", "${what}", "ok"] = max(this->all);`;
await page.evaluate(
	(text) => erltrace.launch({ name: "requests", about: "Made-up requests through the servers of a shop.", text, view: "waterfall" }),
	`tick-100ms
/++i < 40/
{
	this->w = rand() % 90 * 1000000;
	this->o = (5 + rand() % 20) * 1000000;
	this->s = (5 + rand() % 30) * 1000000;
	this->d = (10 + rand() % 80) * 1000000;
	this->all = this->w + this->o + this->s + this->d + 4000000;
	${hop("0", "this->w", "this->all - this->w", 0, 160, "shop_orders", "{order,4711}")}
	${hop("this->w + this->o", "30000", "this->s + this->d", 1, 161, "shop_stock", "{take,3}")}
	${hop("this->w + this->o + this->s", "50000", "this->d - 50000", 2, 158, "shop_db", "{read,stock,3}")}
	${hop("this->w + this->o + this->s + this->d + 500000", "900000", "1500000", 1, 163, "shop_log", "{written,4711}")}
}`,
);
await page.waitForFunction(() => erltrace.views.waterfall.list.length > 12);
await shoot("waterfall");
await tab(page, "editor");
await shoot("editor");
await tab(page, "heatmap");
await page.keyboard.press("Escape");
await page.setViewportSize({ width: 390, height: 800 });
await shoot("phone");
console.log(desk.errors.join("\n") || `${folder} is done`);
await desk.close();
for (const n of [node, other]) n.end();
process.exit(0);
