// What the command carries is what ui/src builds, small, and the same every time.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { test, scratch } from "./lib.mjs";

const UI = fileURLToPath(new URL("../../ui", import.meta.url));
const run = promisify(execFile); // not the kind that blocks: the server takes who is silent for gone
const LIMIT = 250_000; // bytes, compressed

// The packages that building needs: those of ui/, or put down by npm for the tests. null: cannot be had; why.
async function packages() {
	if (existsSync(path.join(UI, "node_modules/esbuild"))) return { at: path.join(UI, "node_modules") };
	const at = path.join(UI, "../build/ui");
	try {
		mkdirSync(at, { recursive: true });
		for (const f of ["package.json", "package-lock.json"]) cpSync(path.join(UI, f), path.join(at, f));
		const lock = readFileSync(path.join(UI, "package-lock.json")), done = path.join(at, "node_modules/.done");
		if (!existsSync(done) || !readFileSync(done).equals(lock)) {
			await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: at, timeout: 180000 });
			writeFileSync(done, lock);
		}
		return { at: path.join(at, "node_modules") };
	} catch (e) {
		return {
			at: null,
			why: `npm could not get what ui/ is built with: ${
				String(e.stderr || e.message)
					.split("\n")
					.find((l) => l && !/warn/.test(l)) || "?"
			}`,
		};
	}
}

export default async function (desk) {
	const { at, why } = await packages();
	await test(
		"build: ui/dist is what ui/src builds",
		async () => {
			const dir = scratch(),
				unpack = (...at) => gunzipSync(readFileSync(path.join(...at)));
			for (const f of ["src", "build.mjs", "package.json"]) cpSync(path.join(UI, f), path.join(dir, f), { recursive: true });
			symlinkSync(at, path.join(dir, "node_modules"));
			await run("node", ["build.mjs"], { cwd: dir });
			const files = readdirSync(path.join(dir, "dist")).sort();
			assert.deepEqual(files, readdirSync(path.join(UI, "dist")).sort());
			// unpacked: compressors differ between versions of Node.js
			for (const f of files)
				assert.ok(unpack(dir, "dist", f).equals(unpack(UI, "dist", f)), `${f} differs: run npm run build in ui/`);
		},
		why,
	);
	await test("build: the whole page is under 250 kB, as it goes over the wire", async () => {
		const cookie = await desk.server.cookie();
		let total = 0;
		for (const f of ["", "app.js", "app.css", "icon.svg"]) {
			const r = await fetch(`${desk.url.origin}/${f}`, { headers: { cookie, "accept-encoding": "gzip" } });
			assert.equal(r.status, 200, f);
			assert.equal(r.headers.get("content-encoding"), "gzip");
			total += Number(r.headers.get("content-length"));
		}
		console.log(`      ${(total / 1000).toFixed(0)} kB`);
		assert.ok(total > 10_000 && total < LIMIT, `${total} bytes`);
	});
}
