# run.sh BUILD [ROUNDS [KIND …]]: the Erlang benchmark, on its own node. ERL: another erl than the one in $PATH.
build=$(cd "$1" && pwd) || exit
rounds=${2:-3}
shift
[ $# -gt 0 ] && shift
ERL_CRASH_DUMP_SECONDS=0 exec "${ERL:-erl}" +S 1:1 +SDcpu 1:1 -noinput -sname "erltrace_bench_$$" -setcookie "bench$$" -pa "$build/bench/erlang" \
	-run bench_tracer main "$build" "$rounds" "$@"
