# erltrace export finds mistakes in its configuration and in the @metric lines of scripts before anything runs. It says
# where they are and what to write instead.
. "$srcdir/export.sh"
try() { # try: the configuration is on standard input
	cat >c.conf
	"$ERLTRACE" export --check c.conf 2>&1
	status=$?
	[ $status = 1 ] || echo "status $status"
}
echo 'BEGIN { @n = count(); @k[1, "x"] = quantize(1); @s = sum(1); @ks[1, 2] = sum(2); @a = avg(3); }' >ok.d
try <<'C'
listen 127.0.0.1
C
try <<'C'
listen localhost:9464
C
try <<'C'
script ok.d
listen 127.0.0.1:9464
C
try <<'C'
listen 0.0.0.0:9464
script ok.d
C
try <<'C'
interval 1h
C
try <<'C'
rows 0
C
try <<'C'
node "shop
C
try <<'C'
node a
node a
C
try <<'C'
option aggsize=1m
C
try <<'C'
script ok.d
	option aggsiz=1m
C
try <<'C'
share 1
C
try <<'C'
script gc
share 101
C
try <<'C'
script gc
share -1
C
try <<'C'
script alarms
share 1
C
try <<'C'
script none.d
C
try <<'C'
script gx
C
try <<'C'
script ok.d
script ok.d
C
try <<'C'
# nothing
C
try <<'C'
listen 127.0.0.1:9464
tls-cert x
script ok.d
C
try <<'C'
alert-webhook https://example.org/
C
try <<'C'
alert-webhook http://:80/
C
try <<'C'
alert-resolve 1ms
C
try <<'C'
alert-command
C
echo 'BEGIN { x = 1; }' >nothing.d
try <<'C'
script nothing.d
C
# a function that is not there: said with what it should be; with and without a line that names the metric
echo 'BEGIN { @x = cuont(); }' >typo.d
try <<'C'
script typo.d
C
{ echo '/* @metric @x calls_total: Calls. */'; cat typo.d; } >named.d
try <<'C'
script named.d
C
# a metric, but nothing is aggregated
{ echo '/* @metric @x calls_total: Calls. */'; cat nothing.d; } >empty.d
try <<'C'
script empty.d
C
metric() { # metric LINE: a script with this line
	{
		echo "/* @metric $1"
		echo ' */'
		cat ok.d
	} >m.d
	echo 'script m.d' >m.conf
	"$ERLTRACE" export --check m.conf 2>&1 | head -n 1
}
metric '@n calls_total: Calls.'
metric '@n calls: Calls.'
metric '@n calls_total'
metric '@m calls_total: Calls.'
metric '@n 1calls_total: Calls.'
metric '@a mean_total: Mean.'
metric '@k size: Sizes.'
metric '@k size by a: Sizes.'
metric '@k size by a, node: Sizes.'
metric '@k size by a, a: Sizes.'
metric '@k size by a, b: Sizes.'
metric '@k size by a, b in parsec: Sizes.'
metric '@k size by a, b in ns: Sizes.'
metric '@k size_seconds by a, b in ns sum @s: Sizes.'
metric '@k size_seconds by a, b in ns sum @n: Sizes.'
metric '@k size_seconds by a, b in ns sum @ks: Sizes.'
metric '@k size_seconds by a, b in ns buckets 7: Sizes.'
metric '@k size_seconds by a, b bukets 1..7: Sizes.'
metric '@s size as gauge: A sum.'
metric '@n size as gauge: A count.'
metric '@n size_total buckets 1..7: A count.'
metric '@k size_bucket by a, b: Sizes.'
# only these alert: names are names
echo 'erlang*:shop:alert/1:entry { @alert[self->alert] = count(); /* alert() */ }' >named.d
echo 'BEGIN { @n = count(); alert ("full"); }' >action.d
echo 'alert count(@n) > 7; BEGIN { @n = count(); }' >over.d
for script in named action over; do
	printf 'listen 127.0.0.1:0\nscript %s.d\nshare 1\n' $script | try
done
printf 'dist-opts -ssl_dist_optfile "my file"\n' | try
"$ERLTRACE" export 2>&1 | head -n 1
"$ERLTRACE" export --check nofile 2>&1
# a cookie is never an argument
"$ERLTRACE" export --cookie secret c.conf 2>&1 | head -n 1
exit 0
