# Asserts that stacks follow code that is loaded, replaced and purged while a script runs: each phase of the program shows the
# function that runs in it, and no function of a phase that is over. Code that lies where purged code was may print as
# numbers, never with the old name.
# @@timeout: 180
. "$srcdir/common.sh"
ERL=${ERL:-erl}
command -v $ERL >/dev/null || { echo 'no Erlang here' >&2; exit 67; }
# (the VM may have printed warnings before)
[ "$($ERL -noshell -eval 'io:put_chars(atom_to_list(erlang:system_info(emu_flavor))), halt().' | tail -n 1)" = jit ] || { echo 'this VM has no JIT' >&2; exit 67; }
module() { # module NAME FUNCTION FOLDER: it burns until a file is there
	mkdir -p $3
	cat >$3/$1.erl <<END
-module($1).
-export([run/1, $2/1]).
run(File) -> case $2(100000) of 0 -> case file:read_file_info(File) of {ok, _} -> done; _ -> run(File) end end.
$2(0) -> 0;
$2(N) -> $2(N - 1).
END
	erlc -o $3 $3/$1.erl || exit 1
}
module late first one
module late second two
module other third three
cat >phases.erl <<'END'
-module(phases).
-export([go/0]).
go() ->
    file:write_file("ready", "x"),
    load("one/late"), done = late:run("next1"),
    load("two/late"), code:purge(late), done = late:run("next2"),
    code:delete(late), code:purge(late),
    load("three/other"), done = other:run("next3"),
    halt().
load(File) -> {module, _} = code:load_abs(File).
END
erlc phases.erl || exit 1
$ERL +S 1 +sbwt none +sbwtdcpu none +sbwtdio none -noshell -eval 'phases:go().' >vm.out 2>&1 &
pid=$!
trap 'kill -9 $pid $tracer 2>/dev/null' EXIT
i=0
while [ ! -e ready ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
$K -x aggrate=100ms -x switchrate=100ms -n 'profile-497 /pid == $target && arg1/ { @[ustack(4)] = count(); }
	tick-500ms { printf("-- %d\n", ++n); printa(@); clear(@); trunc(@); }' -p $pid >out 2>err &
tracer=$!
# phase FUNCTION PATTERN FILE: waits until two blocks in a row have what must be there; then the next phase may begin.
last() { awk '/^-- / { before = block; block = "" } { block = block $0 "\n" } END { printf "%s", before }' out; }
phase() {
	i=0 seen=0 at=
	while [ $seen -lt 2 ] && [ $i -lt 400 ]; do
		sleep 0.1
		i=$((i + 1))
		last >block
		[ "$(head -n 1 block)" != "$at" ] || continue
		at=$(head -n 1 block)
		if grep -Eq "$2" block; then seen=$((seen + 1)); else seen=0; fi
	done
	[ $seen = 2 ] && echo "$1 runs" || { echo "no $1:"; cat block err; }
	grep -E "$4" block && echo "these are over"
	touch $3
}
phase first ' late:first/1' next1 'late:second|other:'
phase second ' late:second/1' next2 'late:first|other:'
phase third ' (other:third/1|memfd:vmem.0x[0-9a-f]+)' next3 'late:'
i=0
while kill -0 $tracer 2>/dev/null && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
grep -c -e 'third:' -e 'late:third' -e 'other:first' -e 'other:second' out
cat err
