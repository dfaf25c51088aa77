# -p finds cookies in ERL_FLAGS and in a release's vm.args, and a port in ERL_DIST_PORT. It traces nodes that have no
# capabilities, that a seccomp filter confines, and, from a sidecar, one with which only the processes are shared.
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
${CC:-cc} -O1 -o confined "$srcdir/confined.c" || exit
mkdir home release
HOME=$PWD/home
export HOME
ALL='-n -m -u -p --mount-proc'

echo '-- the cookie is in ERL_FLAGS, the name in ERL_AFLAGS'
inside "$ALL" "$WITH; export ERL_FLAGS='-setcookie of_flags' ERL_AFLAGS='-sname box'"
into
echo '-- the cookie is in the vm.args of a release'
BOOT=$("${ERL:-erl}" -noinput -eval 'io:put_chars(code:root_dir()), halt().')/bin/start.boot
inside "$ALL" "$WITH; mount -t tmpfs tmpfs $PWD/release; mkdir -p release/releases/1.0; cp $BOOT release/releases/1.0/
	echo '# of this release
-setcookie of_vm_args' >release/releases/1.0/vm.args" -sname box -boot "$PWD/release/releases/1.0/start" -eval 'erlang:set_cookie(of_vm_args)'
into
echo '-- no epmd; the port is in ERL_DIST_PORT'
inside "$ALL" "$UP; export ERL_DIST_PORT=7781" -sname box -setcookie said -start_epmd false -erl_epmd_port 7781
into
echo '-- no capabilities'
inside "$ALL" "$WITH; exec setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs \"\$ERL_THERE\" \"\$@\"" -sname box -setcookie said
sed -n 's/^CapBnd:[[:space:]]*/bounding set /p' "/proc/$INNER/status"
into
echo '-- a seccomp filter'
inside "$ALL" "$WITH; exec $PWD/confined \"\$ERL_THERE\" \"\$@\"" -sname box -setcookie said
sed -n 's/^Seccomp:[[:space:]]*/filter mode /p' "/proc/$INNER/status"
into
echo '-- one that also refuses memfd_create'
inside "$ALL" "$WITH; export REFUSE_MEMFD=1; exec $PWD/confined \"\$ERL_THERE\" \"\$@\"" -sname box -setcookie said
into
echo '-- from a sidecar that shares the processes: another network, another name of the machine'
inside "$ALL" "$WITH; hostname inner" -sname box -setcookie said
cat >sidecar <<'END'
#!/bin/sh
exec nsenter -t "$SIDE" -p unshare -m -n -u sh -c 'mount -t proc proc /proc && hostname sidecar && exec "$COMMAND" "$@"' sh "$@"
END
chmod +x sidecar
COMMAND=$ERLTRACE SIDE=$INNER
export COMMAND SIDE
ERLTRACE=$PWD/sidecar
outer=$INNER
"$ERLTRACE" -q -p 1 -x switchrate=20ms -n 'erlang$target:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { printf("traced as %d\n", $target); exit(0); } tick-30s { exit(9); }' 2>&1 | sed /^$/d
kill -0 "$outer" && echo 'the node lives'
