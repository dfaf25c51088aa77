# -p of a node in a container whose distribution runs over TLS: the certificates verify each other, and the options are
# those that the user has on this side, because the node's own name files of the container. A wrong certificate is told.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
needs_crypto
mkdir home root
HOME=$PWD/home
export HOME
certificates() { # certificates FOLDER: an authority, and one certificate for both sides
	mkdir "$1" || exit
	(
		cd "$1" || exit
		openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj "/CN=test ca of $1" -days 2
		openssl req -newkey rsa:2048 -nodes -keyout key.pem -out req.pem -subj "/CN=inner"
		echo 'subjectAltName=DNS:inner' >ext
		openssl x509 -req -in req.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile ext
	) >"$1.log" 2>&1 || { cat "$1.log" >&2; exit 67; }
	side="{certfile, \"$PWD/$1/cert.pem\"}, {keyfile, \"$PWD/$1/key.pem\"}, {cacertfile, \"$PWD/$1/ca.pem\"}, {verify, verify_peer}"
	echo "[{server, [$side, {fail_if_no_peer_cert, true}]}, {client, [$side]}]." >"$1/ssl.conf"
}
command -v openssl >/dev/null || { echo "openssl is not installed" >&2; exit 67; }
certificates ours
certificates others
inside '-n -m -u -p --mount-proc' "ip link set lo up; hostname inner; mount -t tmpfs tmpfs root
	for d in /*; do
		if [ -L \$d ]; then cp -P \$d root; elif [ -d \$d ]; then mkdir root\$d; mount --rbind \$d root\$d; fi
	done
	exec chroot root \"\$ERL_THERE\" \"\$@\"" -sname box -setcookie said -proto_dist inet_tls -ssl_dist_optfile "$PWD/ours/ssl.conf"
into
into --dist-opts "-ssl_dist_optfile $PWD/ours/ssl.conf"
into --dist-opts "-ssl_dist_optfile $PWD/others/ssl.conf" | grep -o 'unknown_ca\|traced'
