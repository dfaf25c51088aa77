# stall.sh BUILD [PROCESSES [FUNCTIONS [ROUNDS]]]: how long a node stands still when scripts come and go. See bench_stall.erl.
build=$(cd "$1" && pwd) || exit
for schedulers in ${SCHEDULERS:-1 2}; do
	ERL_CRASH_DUMP_SECONDS=0 erl +P 1000000 +S $schedulers -noinput -sname "erltrace_stall_$$" -setcookie "stall$$" \
		-kernel logger_level error -pa "$build/bench/erlang" -run bench_stall main "$build" "${2:-300000}" "${3:-90000}" "${4:-5}" || exit
done
