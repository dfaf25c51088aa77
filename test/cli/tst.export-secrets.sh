# What erltrace export shows of the destinations of alerts to everybody who can scrape: a number, and the host of a URL or
# the first word of a command. Users, passwords, paths, queries and arguments may be secrets, so no format has them.
. "$srcdir/export.sh"
trap export_end EXIT
# it never alerts
echo 'alert count(@n) > 7 over 60s; BEGIN { @n = count(); }' >quiet.d
cat >export.conf <<'C'
listen 127.0.0.1:0
alert-webhook http://127.0.0.1:9093/hooks/SECRET
alert-webhook http://127.0.0.1:9093/hooks/SECRET2?token=SECRET
alert-webhook http://[::1]:9093/SECRET
alert-webhook http://SECRET@se@cret.example?token=SECRET
alert-webhook http://host.example#SECRET
alert-command sh -c "curl -H SECRET -sf --data-binary @- https://example.org/"
alert-command /usr/bin/curl -H SECRET https://SECRET@example.org/
script quiet.d
C
export_start || exit
wait_value erltrace_quiet_n_total 1
fetch /metrics | sed -n 's/^erltrace_alert_messages_total{to="\([^"]*\)",result="sent"} 0$/\1/p'
for format in text/plain 'application/openmetrics-text;version=1.0.0' \
	'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'; do
	fetch /metrics "$format" >all
	grep -a -c erltrace_alert_messages all | sed 's/[1-9][0-9]*/alerts are there/'
	grep -a -c SECRET all
done
grep -c SECRET export.err
export_stop
