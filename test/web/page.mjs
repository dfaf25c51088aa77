// The page in Chromium, a file each subject; all on one server.
import assert from "node:assert/strict";
import { test } from "./lib.mjs";
import { Desk } from "./browser.mjs";

const SUBJECTS = ["first", "units", "build", "heatmap", "list", "flame", "waterfall", "log", "alerts", "editor", "export", "states", "text", "access", "speed"];

export async function pageTests(program) {
	const desk = await Desk.open(program);
	for (const s of SUBJECTS.filter((x) => !process.env.SUBJECT || process.env.SUBJECT.split(",").includes(x))) {
		if (s !== "first") await desk.tidy();
		await (await import(`./page_${s}.mjs`)).default(desk);
	}
	await test("no error and no breach of policy in the browser", async () => {
		assert.deepEqual(desk.errors, []);
	});
	await desk.close();
}
