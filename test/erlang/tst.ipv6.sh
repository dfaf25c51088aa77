# Nodes that other nodes reach by IPv6 only are traced: by the name of their host, by an address as host, by -p, and through
# TLS. The machine has no other network than its own there.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
[ -e /proc/sys/net/ipv6/bindv6only ] || { echo "no IPv6 here" >&2; exit 67; }
needs_crypto
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj "/CN=six.inner" -days 2 2>/dev/null || { echo "openssl is not installed" >&2; exit 67; }
own_home
cat >ssl.conf <<END
[{server, [{certfile, "$PWD/cert.pem"}, {keyfile, "$PWD/key.pem"}]}, {client, [{verify, verify_none}]}].
END
ALL='-n -m -u -p' # its epmd ends with it
UP="ip link set lo up; echo 1 >/proc/sys/net/ipv6/bindv6only; echo '::1 six.inner six' >hosts; mount --bind hosts /etc/hosts; hostname six
	epmd -daemon -relaxed_command_check; until epmd -names >/dev/null 2>&1; do sleep 0.05; done"
SIX='-proto_dist inet6_tcp -setcookie said'
# by its name, from inside its network
by_name() {
	nsenter -t "$INNER" -n -m -u "$ERLTRACE" -q -N "$1" --cookie said -x switchrate=20ms \
		-n 'erlang*:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { printf("traced\n"); exit(0); } tick-30s { exit(9); }' 2>&1 | sed /^$/d
}
listens() { # a four in the column of IPv4, a six in the other
	for file in tcp tcp6; do
		nsenter -t "$INNER" -n awk -v port="$(nsenter -t "$INNER" -n -m epmd -names | sed -n 's/.* at port //p')" 'BEGIN { port = sprintf("%04X", port) }
			$4 == "0A" && $2 ~ ":" port "$" { print FILENAME ": " (substr($2, 1, 32) ~ /^0+$/ ? "any" : "one") }' /proc/net/$file | sed 's/.*net.//'
	done
}
echo '-- any address of IPv6'
inside "$ALL" "$UP" -sname box $SIX
listens
into
by_name box
by_name box@six
echo '-- one address'
inside "$ALL" "$UP" -name box@six.inner $SIX -kernel inet_dist_use_interface '{0,0,0,0,0,0,0,1}'
listens
into
by_name box@six.inner
echo '-- an address as the name of the host'
inside "$ALL" "$UP" -name box@::1 $SIX
into
by_name box@::1
echo '-- TLS'
inside "$ALL" "$UP" -name box@six.inner -proto_dist inet6_tls -ssl_dist_optfile "$PWD/ssl.conf" -setcookie said
into
into --dist-opts "-ssl_dist_optfile $PWD/ssl.conf"
nsenter -t "$INNER" -n -m -u "$ERLTRACE" -q -N box@six.inner --cookie said --dist-opts "-ssl_dist_optfile $PWD/ssl.conf" \
	-n 'erlang*:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { printf("traced\n"); exit(0); } tick-30s { exit(9); }' 2>&1 | sed /^$/d
