// Makes screenshots small: a PNG of true colour becomes one of at most 256 colours.
import { deflateSync, inflateSync, crc32 as zlibCrc } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

function crc32(bytes) {
	if (zlibCrc) return zlibCrc(bytes);
	let c = ~0;
	for (const b of bytes) {
		c ^= b;
		for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
	}
	return ~c >>> 0;
}

function chunk(type, data) {
	const out = Buffer.alloc(12 + data.length);
	out.writeUInt32BE(data.length, 0);
	out.write(type, 4, "latin1");
	data.copy(out, 8);
	out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
	return out;
}

// { w, h, at: bytes of red, green, blue } of 8 bits a channel, not interlaced: what browsers make.
function decode(png) {
	const data = [];
	let w, h, n;
	for (let i = 8; i < png.length; i += 12 + png.readUInt32BE(i)) {
		const type = png.toString("latin1", i + 4, i + 8),
			body = png.subarray(i + 8, i + 8 + png.readUInt32BE(i));
		if (type === "IHDR") [w, h, n] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
		else if (type === "IDAT") data.push(body);
	}
	const raw = inflateSync(Buffer.concat(data)),
		line = w * n,
		out = Buffer.alloc(w * h * 3);
	let above = Buffer.alloc(line);
	for (let y = 0; y < h; y++) {
		const filter = raw[y * (line + 1)],
			row = raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1));
		for (let x = 0; x < line; x++) {
			const a = x >= n ? row[x - n] : 0,
				b = above[x],
				c = x >= n ? above[x - n] : 0;
			const pa = Math.abs(b - c),
				pb = Math.abs(a - c),
				pc = Math.abs(a + b - 2 * c);
			row[x] += [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
		}
		for (let x = 0; x < w; x++) row.copy(out, (y * w + x) * 3, x * n, x * n + 3);
		above = row;
	}
	return { w, h, at: out };
}

// The most frequent colours as they are; the others are the nearest of those.
function palette({ w, h, at }) {
	const count = new Map(),
		colour = (i) => (at[i] << 16) | (at[i + 1] << 8) | at[i + 2];
	for (let i = 0; i < at.length; i += 3) count.set(colour(i), (count.get(colour(i)) || 0) + 1);
	const near = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
	// frequent ones first, but none that is almost another
	const list = [];
	for (const [c] of [...count].sort((x, y) => y[1] - x[1])) {
		if (list.length === 256) break;
		if (!list.some((p) => near(p, c) < 40)) list.push(c);
	}
	const of = new Map(),
		out = Buffer.alloc((w + 1) * h);
	for (const c of count.keys())
		of.set(
			c,
			list.reduce((best, p, i) => (near(p, c) < near(list[best], c) ? i : best), 0),
		);
	for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) out[y * (w + 1) + 1 + x] = of.get(colour((y * w + x) * 3));
	return { list, rows: out };
}

export function shrink(png) {
	const image = decode(png),
		{ list, rows } = palette(image),
		head = Buffer.alloc(13);
	head.writeUInt32BE(image.w, 0);
	head.writeUInt32BE(image.h, 4);
	head.set([8, 3, 0, 0, 0], 8);
	const colours = Buffer.from(list.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]));
	return Buffer.concat([
		SIGNATURE,
		chunk("IHDR", head),
		chunk("PLTE", colours),
		chunk("IDAT", deflateSync(rows, { level: 9 })),
		chunk("IEND", Buffer.alloc(0)),
	]);
}
