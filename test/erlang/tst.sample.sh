# -x sample=N traces one process of N: all events of those, none of the others, and only those have trace flags, also of
# processes that begin later. A script about all processes that comes and goes beside it sees everything.
# @@timeout: 120
. "$srcdir/lib.sh"
cat >shares.erl <<'END'
-module(shares).
-export([start/2, work/0, pids/0, one/1]).
start(Name, N) ->
    persistent_term:put(Name, [spawn(fun idle/0) || _ <- lists:seq(1, N)]).
pids() -> persistent_term:get(old, []) ++ persistent_term:get(new, []).
%% Each of them: 10 calls and returns, one message, one collection.
work() ->
    persistent_term:put(rounds, persistent_term:get(rounds, 0) + 1),
    [P ! {work, self()} || P <- pids()],
    [receive {done, P} -> ok end || P <- pids()],
    ok.
idle() ->
    receive {work, From} -> ten(10), erlang:garbage_collect(), From ! {done, self()}, idle() end.
ten(0) -> ok;
ten(N) -> _ = ?MODULE:one(N), ten(N - 1).
one(N) -> {N}.
END
erlc shares.erl || exit 1
node_start -pa .
node_eval 'shares:start(old, 200).'
cat >sample.d <<'END'
#pragma D option pidnames=off
erlang*:shares:one/1:entry { self->t = 1; }
erlang*:shares:one/1:return /self->t/ { @pairs[eproc] = count(); self->t = 0; }
erlang*:::message-send { @sends[eproc] = count(); }
erlang*:::gc_major-start { @collections[eproc] = count(); }
END { printa("%s calls %@d\n", @pairs); printa("%s sends %@d\n", @sends); printa("%s collections %@d\n", @collections);
	trunc(@pairs); trunc(@sends); trunc(@collections); }
END
# expected PIDS: what a script must see of the processes
expected() {
	times=$(node_eval "file:write_file(\"pids\", [io_lib:format(\"~p~n\", [P]) || P <- $1]), persistent_term:get(rounds).")
	awk -v times="$times" '{ print $1, "calls", 10 * times; print $1, "sends", times; print $1, "collections", times }' pids | sort
}
# saw OUT PIDS: compares, for as many rounds as they have worked
saw() {
	expected 'shares:pids()' >/dev/null
	awk 'NR == FNR { of[$1]; next } $1 in of' pids "$1.txt" | sort >"$1.saw"
	expected "$2" >"$1.expected"
	[ -s "$1.expected" ] && diff "$1.expected" "$1.saw" >&2 && echo "$1: everything, and nothing else" || echo "$1: not as expected"
}
chosen='[P || P <- shares:pids(), erltrace_tracer:chosen(P, 8)]'
traced="$INFO"' Traced = fun() -> [P || P <- shares:pids(), {flags, [_ | _]} <- [Info(P, flags)]] end,
	Until = fun Until(0, _) -> no; Until(N, F) -> F() orelse begin timer:sleep(100), Until(N - 1, F) end end,'

rounds() { # rounds N: counts them from N on
	node_eval "persistent_term:put(rounds, $1)." >/dev/null
}

trace_start some -v -x sample=8 -x maxoverhead=0 -s sample.d
echo "flags on the chosen ones: $(node_eval "$traced Traced() =:= $chosen.")"
node_eval 'case length('"$chosen"') of N when N >= 12, N =< 38 -> {an, eighth}; N -> N end.'
node_eval 'shares:work(), shares:start(new, 200), persistent_term:put(chosen, '"$chosen"'), ok.'
rounds 0
echo "flags on the new ones, too: $(node_eval "$traced Until(300, fun() -> shares:work(), Traced() =:= $chosen end).")"
trace_stop 2>/dev/null
grep -o 'one process in .*' some.err
node_eval 'persistent_term:put(old, []).'
saw some '[P || P <- shares:pids(), lists:member(P, persistent_term:get(chosen))]'

echo "= beside a script about all, and one with another number"
trace_start some -x sample=8 -x maxoverhead=0 -s sample.d
first=$TRACE_PID
rounds 0
node_eval 'persistent_term:put(chosen, '"$chosen"'), shares:work().'
trace_start all -x maxoverhead=0 -s sample.d
rounds 0
node_eval 'shares:work().'
echo "flags on all: $(node_eval "$traced Traced() =:= shares:pids().")"
trace_stop
saw all 'shares:pids()'
echo "flags on the chosen ones: $(node_eval "$traced Until(300, fun() -> Traced() =:= $chosen end).")"
trace_start half -x sample=2 -x maxoverhead=0 -s sample.d
rounds 0
node_eval 'persistent_term:put(half, [P || P <- shares:pids(), erltrace_tracer:chosen(P, 2)]), shares:work().'
echo "flags on half: $(node_eval "$traced Traced() =:= persistent_term:get(half).")"
trace_stop
saw half 'persistent_term:get(half)'
echo "flags on the chosen ones: $(node_eval "$traced Until(300, fun() -> Traced() =:= $chosen end).")"
rounds 3
node_eval 'shares:work().'
trace_out=some TRACE_PID=$first
trace_stop
saw some 'persistent_term:get(chosen)'

echo "= calls are not counted by the VM's counters, which know no processes"
trace_start some -x sample=8 -x maxoverhead=0 -n 'erlang*:shares:one/1:entry { @ = count(); }'
node_eval 'persistent_term:put(chosen, '"$chosen"'), shares:work().'
trace_stop
[ "$(cat some.txt)" = "$(node_eval '10 * length(persistent_term:get(chosen)).')" ] && echo exact
echo "= new code is loaded, by a process that is not chosen"
mkdir new
sed 's/^one(N) -> .*/one(N) -> [N]./' shares.erl >new/shares.erl
erlc -o new new/shares.erl || exit 1
trace_start some -x sample=1000000 -n 'erlang*:shares:one/1:entry { @["calls"] = count(); } erlang*:::code-load /copyinstr(arg0) == "shares"/ { printf("loaded\n"); }'
node_eval "$traced"' {traced, local} = Info({shares, one, 1}, traced), {module, shares} = code:load_abs("new/shares"),
	Until(300, fun() -> Info({shares, one, 1}, traced) =:= {traced, local} end).'
i=0
until grep -q '^loaded' some || [ $i -ge 300 ]; do
	sleep 0.1
	i=$((i + 1))
done
trace_stop
cat some.txt
echo "= the share of many pids, and numbers that are refused"
trace_start some -x sample=8 -n 'erlang*:shares:one/1:entry { @ = count(); }'
node_eval '[case length([I || I <- lists:seq(1, 8000), erltrace_tracer:chosen(c:pid(0, I * Step, 0), N)]) * N / 8000 of
	S when S > 0.9, S < 1.1 -> even; S -> {N, Step, S} end || N <- [2, 3, 8, 20], Step <- [1, 2, 3, 4]].' | tr -d '\n '
echo
trace_stop
for n in 0 1048577; do
	trace -x sample=$n -n 'erlang*:shares:one/1:entry { @ = count(); }' 2>&1 | grep -o 'sample is.*'
done
echo "after: $(clean_node)"
