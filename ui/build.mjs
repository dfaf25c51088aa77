// Builds the page: one script, one style sheet, each compressed, into dist/.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const LIMIT = 250_000; // bytes, all files together
const out = await build({
	entryPoints: { app: "src/main.js" },
	bundle: true,
	minify: true,
	format: "esm",
	target: ["chrome100", "firefox100", "safari15"],
	legalComments: "none",
	write: false,
	outdir: "dist",
});
const files = { "app.js": out.outputFiles[0].contents };
for (const name of ["index.html", "app.css", "icon.svg"]) files[name] = readFileSync(`src/${name}`);

mkdirSync("dist", { recursive: true });
let total = 0;
for (const [name, bytes] of Object.entries(files)) {
	const packed = gzipSync(bytes, { level: 9 });
	packed[9] = 255; // the same on every system
	total += packed.length;
	writeFileSync(`dist/${name}.gz`, packed);
}
console.log(`${total} bytes compressed`);
if (total > LIMIT) {
	console.error(`the page must stay under ${LIMIT} bytes`);
	process.exit(1);
}
