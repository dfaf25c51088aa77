# erltrace export pushes OTLP: a receiver reads the bytes with the published schema (opentelemetry/proto v1: numbers, names
# and types of all fields), strictly, and the numbers are those of a known workload. A receiver that is not there is said
# once, one that never answers delays nothing, and the end brings the last values.
# @@timeout: 120
command -v node >/dev/null || { echo 'node is not installed' >&2; exit 67; }
. "$srcdir/export.sh"
RECEIVER=
trap 'export_end; [ -z "$RECEIVER" ] || kill $RECEIVER' EXIT
cat >receiver.js <<'J'
const fs = require('fs');
// receiver.js FILE PORT: a line for each request: path, type of the body, and its bytes. FILE hang: never answers.
const server = require('http').createServer((req, res) => {
	const parts = [];
	req.on('data', d => parts.push(d));
	req.on('end', () => {
		if (process.argv[2] === 'hang') return;
		fs.appendFileSync(process.argv[2], [req.method, req.url, req.headers['content-type'], Buffer.concat(parts).toString('hex')].join(' ') + '\n');
		res.end();
	});
});
server.listen(Number(process.argv[3]), '127.0.0.1', () => console.log(server.address().port));
J
cat >read.js <<'J'
// type of a field: [name, type]; type: str, bool, enum, fixed64, sfixed64, double, sint32, uint64 (a list ends with *), or a message
const list = t => t + '*';
const schema = {
	ExportMetricsServiceRequest: {1: ['resource_metrics', list('ResourceMetrics')]},
	ResourceMetrics: {1: ['resource', 'Resource'], 2: ['scope_metrics', list('ScopeMetrics')], 3: ['schema_url', 'str']},
	Resource: {1: ['attributes', list('KeyValue')], 2: ['dropped_attributes_count', 'uint32']},
	ScopeMetrics: {1: ['scope', 'InstrumentationScope'], 2: ['metrics', list('Metric')], 3: ['schema_url', 'str']},
	InstrumentationScope: {1: ['name', 'str'], 2: ['version', 'str']},
	KeyValue: {1: ['key', 'str'], 2: ['value', 'AnyValue']},
	AnyValue: {1: ['string_value', 'str'], 2: ['bool_value', 'bool'], 3: ['int_value', 'int64'], 4: ['double_value', 'double']},
	Metric: {1: ['name', 'str'], 2: ['description', 'str'], 3: ['unit', 'str'], 5: ['gauge', 'Gauge'], 7: ['sum', 'Sum'], 9: ['histogram', 'Histogram'],
		10: ['exponential_histogram', 'ExponentialHistogram'], 11: ['summary', 'Summary']},
	Gauge: {1: ['data_points', list('NumberDataPoint')]},
	Sum: {1: ['data_points', list('NumberDataPoint')], 2: ['aggregation_temporality', 'enum'], 3: ['is_monotonic', 'bool']},
	Histogram: {1: ['data_points', list('HistogramDataPoint')], 2: ['aggregation_temporality', 'enum']},
	ExponentialHistogram: {1: ['data_points', list('ExponentialHistogramDataPoint')], 2: ['aggregation_temporality', 'enum']},
	NumberDataPoint: {2: ['start_time_unix_nano', 'fixed64'], 3: ['time_unix_nano', 'fixed64'], 4: ['as_double', 'double'], 6: ['as_int', 'sfixed64'],
		7: ['attributes', list('KeyValue')], 8: ['flags', 'uint32']},
	HistogramDataPoint: {2: ['start_time_unix_nano', 'fixed64'], 3: ['time_unix_nano', 'fixed64'], 4: ['count', 'fixed64'], 5: ['sum', 'double'],
		6: ['bucket_counts', list('fixed64')], 7: ['explicit_bounds', list('double')], 9: ['attributes', list('KeyValue')], 10: ['flags', 'uint32'],
		11: ['min', 'double'], 12: ['max', 'double']},
	ExponentialHistogramDataPoint: {1: ['attributes', list('KeyValue')], 2: ['start_time_unix_nano', 'fixed64'], 3: ['time_unix_nano', 'fixed64'],
		4: ['count', 'fixed64'], 5: ['sum', 'double'], 6: ['scale', 'sint32'], 7: ['zero_count', 'fixed64'], 8: ['positive', 'Buckets'],
		9: ['negative', 'Buckets'], 10: ['flags', 'uint32'], 12: ['min', 'double'], 13: ['max', 'double'], 14: ['zero_threshold', 'double']},
	Buckets: {1: ['offset', 'sint32'], 2: ['bucket_counts', list('uint64')]},
};
const wires = {str: 2, bool: 0, enum: 0, fixed64: 1, sfixed64: 1, double: 1, sint32: 0, uint32: 0, uint64: 0, int64: 0};
const fail = text => { console.log(text); process.exit(1); };
class Reader {
	constructor(b) { this.b = b; this.at = 0; }
	varint() {
		let v = 0n, s = 0n, c;
		do {
			if (this.at >= this.b.length) fail('cut');
			c = this.b[this.at++];
			v |= BigInt(c & 127) << s;
			s += 7n;
		} while (c & 128);
		return v;
	}
	bytes(n) {
		if (this.at + n > this.b.length) fail('cut');
		this.at += n;
		return this.b.subarray(this.at - n, this.at);
	}
	scalar(type) {
		if (type === 'double') return this.bytes(8).readDoubleLE();
		if (type === 'fixed64') return this.bytes(8).readBigUInt64LE();
		if (type === 'sfixed64') return this.bytes(8).readBigInt64LE();
		const v = this.varint();
		return type === 'sint32' ? (v & 1n ? -(v + 1n) / 2n : v / 2n) : type === 'bool' ? v === 1n : v;
	}
}
const read = (bytes, message) => {
	const r = new Reader(bytes), out = {};
	while (r.at < bytes.length) {
		const tag = Number(r.varint()), [name, typed] = schema[message][tag >> 3] || fail(`${message} has no field ${tag >> 3}`);
		const many = typed.endsWith('*'), type = many ? typed.slice(0, -1) : typed, wire = tag & 7;
		const isMessage = schema[type], want = isMessage || type === 'str' || many ? 2 : wires[type];
		if (wire !== want) fail(`${message}.${name} has wire type ${wire}`);
		let v;
		if (isMessage) v = read(r.bytes(Number(r.varint())), type);
		else if (type === 'str') v = new TextDecoder('utf-8', {fatal: true}).decode(r.bytes(Number(r.varint())));
		else if (many) {
			const packed = new Reader(r.bytes(Number(r.varint())));
			v = [];
			while (packed.at < packed.b.length) v.push(packed.scalar(type));
			out[name] = v;
			continue;
		} else v = r.scalar(type);
		if (many) (out[name] = out[name] || []).push(v);
		else if (name in out) fail(`${message}.${name} is there twice`);
		else out[name] = v;
	}
	return out;
};
const requests = require('fs').readFileSync('otlp.txt', 'utf8').trim().split('\n').map(l => l.split(' '));
const all = requests.map(([method, path, type, hex]) => {
	if (method !== 'POST' || path !== '/v1/metrics' || type !== 'application/x-protobuf') fail([method, path, type].join(' '));
	return read(Buffer.from(hex, 'hex'), 'ExportMetricsServiceRequest');
});
let before = 0n;
for (const q of all)
	for (const m of q.resource_metrics[0].scope_metrics[0].metrics || []) {
		const d = m.gauge || m.sum || m.histogram || m.exponential_histogram;
		for (const p of d.data_points) {
			if (p.start_time_unix_nano >= p.time_unix_nano || p.time_unix_nano < before) fail('time goes backwards');
			before = p.time_unix_nano;
		}
	}
const show = v => JSON.stringify(v, (k, x) => typeof x === 'bigint' ? Number(x) : x);
const metrics = q => q.resource_metrics[0].scope_metrics[0].metrics || [];
// the last push comes when the scripts have ended: it has no gauges any more
const running = all.filter(q => metrics(q).some(m => m.gauge)), last = running[running.length - 1].resource_metrics[0];
console.log('at the end:', metrics(all[all.length - 1]).map(m => m.name).join(' '));
console.log(show(last.resource.attributes), show(last.scope_metrics[0].scope));
for (const m of last.scope_metrics[0].metrics) {
	const kind = ['gauge', 'sum', 'histogram', 'exponential_histogram'].find(k => m[k]), d = m[kind];
	console.log(m.name, m.unit, m.description, kind, show({...d, data_points: undefined}));
	for (const p of d.data_points) {
		delete p.start_time_unix_nano, delete p.time_unix_nano;
		const side = b => b ? (b.bucket_counts || []).reduce((a, x) => a + x, 0n) : 0n;
		const sum = p.bucket_counts ? p.bucket_counts.reduce((a, x) => a + x, 0n) : side(p.positive) + side(p.negative) + (p.zero_count || 0n);
		if (p.count !== undefined && p.count !== sum) fail('the buckets do not add up');
		console.log(' ', show(p));
	}
}
J
cat >script.d <<'D'
/*
 * @metric @n shop_orders_total by kind: Orders.
 * @metric @q shop_wait_seconds by kind in ns sum @qs: How long they wait.
 * @metric @l shop_size_bytes in bytes: How "large" they are.
 * @metric @m shop_longest: The longest.
 */
BEGIN
{
	@n["ü\n"] = count();
	@n["b"] = count();
	@n["b"] = count();
	@q["a"] = quantize(0);
	@q["a"] = quantize(1);
	@q["a"] = quantize(1023);
	@q["a"] = quantize(1024);
	@q["a"] = quantize(-5);
	@qs["a"] = sum(2043);
	@q["b"] = quantize(9223372036854775807);
	@l = lquantize(5, 0, 30, 10);
	@l = lquantize(10, 0, 30, 10);
	@l = lquantize(99, 0, 30, 10);
	@m = max(-7);
}
D
cat >conf <<C
listen 127.0.0.1:0
interval 100ms
C
for bad in 'otlp https://collector/v1/metrics' 'otlp http://127.0.0.1:1/ 1ms' 'otlp'; do
	{ cat conf; echo "$bad"; echo 'script script.d'; } >export.conf
	"$ERLTRACE" export --check export.conf 2>&1
done
: >otlp.txt
# Not a port that the system gives to anybody: the receiver goes and comes back to it.
port=$((20000 + $$ % 10000))
: >port
until [ -s port ]; do
	port=$((port + 1))
	node receiver.js otlp.txt $port >port 2>/dev/null &
	RECEIVER=$!
	until [ -s port ] || ! kill -0 $RECEIVER 2>/dev/null; do sleep 0.05; done
done
{ cat conf; echo "otlp http://127.0.0.1:$port/v1/metrics 1s"; echo 'script script.d'; } >export.conf
export_start
wait_least 'erltrace_otlp_pushes_total{result="sent"}' 3
export_stop
node read.js
# -- nobody is there; it comes
kill $RECEIVER
wait $RECEIVER 2>/dev/null
RECEIVER=
export_start
wait_least 'erltrace_otlp_pushes_total{result="failed"}' 2
node receiver.js otlp.txt "$port" >again &
RECEIVER=$!
wait_least 'erltrace_otlp_pushes_total{result="sent"}' 1
export_stop
sed "s/$port/PORT/g" export.err | grep OTLP
kill $RECEIVER
wait $RECEIVER 2>/dev/null
# -- it never answers
node receiver.js hang "$port" >again &
RECEIVER=$!
export_start
wait_least 'erltrace_otlp_pushes_total{result="skipped"}' 3
value 'shop_orders_total{kind="b"}'
export_stop
