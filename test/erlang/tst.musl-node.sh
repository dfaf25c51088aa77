# A VM that was built for musl is traced as any other: calls are counted exactly, nothing stays switched on, and -p finds
# its node in a root that has no other C library. musl never unloads a library: what stays is its code, once for a file.
otp=${ERLTRACE_CACHE:-$BUILD}/otp-musl
[ -e "$otp/built" ] || { echo "there is no VM for musl: make otp-kinds builds it" >&2; exit 67; }
otp=$(cd "$otp" && pwd)
. "$srcdir/lib.sh"
ERL=$otp/bin/erl
node_start
node_eval '{erlang:system_info(emu_flavor), lists:suffix("musl", erlang:system_info(system_architecture))}.'
grep -c -e ld-musl -e musl/libc.so "/proc/$NODE_PID/maps" | sed 's/[1-9].*/musl/'
for calls in 12345 1 54321; do
	trace_start out -n 'erlang*:lists:droplast/1:entry { @calls = count(); } erlang*:::process-spawn /copyinstr(arg1) == "lists:last/1"/ { @spawns = count(); }'
	node_eval "[lists:droplast([x]) || _ <- lists:seq(1, $calls)], spawn(lists, last, [[1]]), ok."
	trace_stop && cat out.txt
	clean_node
done
echo "mapped: $(grep -c 'r-xp.*erltrace_tracer' "/proc/$NODE_PID/maps")"
node_alive && echo alive

[ "$(id -u)" = 0 ] || exit 0
. "$srcdir/container.sh"
echo '-- a root with musl only'
mkdir root home
root=$PWD/root
inside '-n -m -u -p --mount-proc' "ip link set lo up; hostname inner; mount -t tmpfs tmpfs $root
	mkdir -p $root/lib $root/usr/lib/erlang $root$otp $root/proc $root/dev $root/tmp $root/root $root/lib/x86_64-linux-musl
	cp -L /lib/ld-musl-* $root/lib/
	mount --bind /usr/lib/erlang $root/usr/lib/erlang; mount --bind $otp $root$otp; mount --bind /dev $root/dev; mount -t proc proc $root/proc
	echo -n of_musl >$root/root/.erlang.cookie; chmod 400 $root/root/.erlang.cookie
	export HOME=/root ROOTDIR=/usr/lib/erlang BINDIR=$otp/erts EMU=beam PROGNAME=erl
	exec chroot $root $otp/erts/erlexec \"\$@\"" -sname box -start_epmd false -erl_epmd_port 7779
grep -c 'libc\.so\.6' "/proc/$INNER/maps"
into
