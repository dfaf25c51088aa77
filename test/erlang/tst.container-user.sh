# -p finds a node that an ordinary user runs in a user namespace with its own network, host name and processes, also if
# nothing can be executed that the node could write.
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
# the scratch folder belongs to root
there=$(mktemp -d) || exit
trap 'node_end; rm -rf "$there"' EXIT
chown 65534:65534 "$there"
UNSHARE='setpriv --reuid=65534 --regid=65534 --clear-groups unshare'
FLAGS='-U -r -n -m -u -p --mount-proc'
(cd "$there" && $UNSHARE $FLAGS --fork true) 2>/dev/null || { echo "user namespaces are not allowed here" >&2; exit 67; }
HOME=$there
export HOME
cat >"$there/.erlang.cookie" <<-END
	of_its_user
END
chown 65534 "$there/.erlang.cookie"
chmod 400 "$there/.erlang.cookie"
inside "$FLAGS" "ip link set lo up; hostname inner; cd $there" -sname box
into
echo '-- no place for the library'
inside "$FLAGS" "ip link set lo up; cd /; for d in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o noexec tmpfs \$d; done; export HOME=/nowhere" -sname box -setcookie said
into
