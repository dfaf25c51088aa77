# On a host whose own name does not resolve, -N NAME still reaches the node on this machine.
# @@timeout: 90
. "$srcdir/lib.sh"
if [ "$1" != inside ]; then
	[ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null || { echo 'only root can give a host another name for a while' >&2; exit 67; }
	exec unshare --uts sh "$srcdir/tst.unresolved.sh" inside
fi
echo "nobody-knows-$$" >/proc/sys/kernel/hostname
getent hosts "nobody-knows-$$" && { echo 'every name resolves here' >&2; exit 67; }
node_start
trace -qn 'BEGIN { printf("%s\n", node); exit(0); }' | grep . | sed "s/$NODE@nobody-knows-$$/reached/"
