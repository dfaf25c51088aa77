# erltrace_alarms inside an application: alert() and an alert over an aggregation become alarms of SASL's alarm_handler,
# once for each level and key however often they happen, and are cleared when they are over. Callbacks (a module, a module
# with an argument, a fun) are told the same, with place and values. One that hangs or fails delays no other; the one that
# failed is told when it works again. Of thousands of keys as many are kept as asked for. When the process ends, its alarms
# are cleared, and nothing is left on the node.
# @@timeout: 120
. "$srcdir/lib.sh"
cat >pager.erl <<'E'
-module(pager).
-export([start/0, handle_alarm/1, handle_alarm/2, flaky/1, all/1, storm/1, tick/1, slow/1]).
start() ->
    Self = self(),
    spawn(fun() -> ets:new(pager, [public, named_table, ordered_set]), Self ! made, receive never -> ok end end),
    receive made -> ok end.
note(Who, #{status := S, level := L, key := K, text := T, place := P, values := V, count := C} = A) ->
    is_integer(maps:get(since, A)) andalso is_integer(C) andalso
        ets:insert(pager, {erlang:unique_integer([monotonic]), Who, {S, L, K, T, P, V, maps:get(unit, A, none)}}).
handle_alarm(A) -> note(module, A).
handle_alarm(A, Extra) -> note(Extra, A).
%% the first three calls fail
flaky(A) ->
    case ets:update_counter(pager, tries, 1, {tries, 0}) of
        N when N =< 3 -> error(not_yet);
        _ -> note(flaky, A)
    end.
all(Who) -> [What || {_, W, What} <- ets:tab2list(pager), W =:= Who].
storm(0) -> ok;
storm(N) -> slow(N), receive stop -> ok after 10 -> storm(N) end.
slow(_) -> receive after 5 -> ok end.
tick(_) -> ok.
E
erlc pager.erl || exit 1
node_start -pa "$BUILD/otp/erltrace/ebin" -pa .
node_eval 'pager:start(), logger:set_primary_config(level, none), ok.'
cat >script.d <<'D'
alert p50(@slow) > 1ms for 1s over 2s "[critical budget] slow(%s) takes %@d ms";
erlang*:pager:slow/1:entry
{
	alert("[error seen %d] slow/1 was called with %d", args[0], args[0]);
	self->t = timestamp; self->k = text(args[0]);
}
erlang*:pager:slow/1:return /self->t/ { @slow[self->k] = llquantize(timestamp - self->t, 10, 3, 10, 100); self->t = 0; }
D
# until 'Expression' is true on the node, at most a minute
until_true() {
	wait=0
	until [ "$(node_eval "$1.")" = true ]; do
		wait=$((wait + 1))
		[ $wait -lt 300 ] || { echo "never: $1"; node_eval 'io_lib:format("~p", [ets:tab2list(pager)]).'; return 1; }
		sleep 0.2
	done
}
# an expression's value, as text
show() {
	node_eval "file:write_file(\"$PWD/shown\", re:replace(io_lib:format(\"~0p~n\", [$1]), \"takes [0-9]+ ms\", \"takes MS ms\", [global]))." >/dev/null
	cat shown
}
start() {
	node_eval "process_flag(trap_exit, true), {ok, D} = file:read_file(\"$PWD/script.d\"), case erltrace_alarms:start_link(D, #{$1}) of {ok, P} -> unlink(P), register(alarms, P), ok; {error, {dtrace, W, T}} -> binary_to_atom(iolist_to_binary(io_lib:format(\"~p: ~ts\", [W, T])), utf8) end."
}
start 'to => [alarm_handler]'
node_eval 'ok = application:start(sasl).'
start 'to => [fun(_) -> receive never -> ok end end, alarm_handler, pager, {pager, extra}, fun pager:flaky/1], resolve => 3000, interval => 100'
node_eval 'register(storm, spawn(fun() -> pager:storm(7) end)), ok.'
until_true 'length(alarm_handler:get_alarms()) == 2'
until_true 'length(pager:all(module)) == 2'
show 'lists:sort([{Id, maps:get(status, A), maps:get(place, A), maps:get(values, A)} || {Id, A} <- alarm_handler:get_alarms()])'
until_true 'length(pager:all(flaky)) >= 2'
node_eval 'storm ! stop, ok.'
until_true 'alarm_handler:get_alarms() == []'
until_true 'length(pager:all(extra)) == 4'
until_true 'element(1, erltrace_alarms:alarms(alarms)) == []'
show 'lists:sort(pager:all(module))'
show 'lists:sort(pager:all(extra)) == lists:sort(pager:all(module))'
node_eval 'erltrace_alarms:stop(alarms).'
clean_node release
# thousands of keys
cat >script.d <<'D'
erlang*:pager:tick/1:entry { alert("[k%d] tick", args[0]); }
D
start 'to => [alarm_handler], interval => 100, most => 100, open => [{bufsize, "4m"}]'
node_eval '[pager:tick(N) || N <- lists:seq(1, 3000)], ok.'
until_true 'element(2, erltrace_alarms:alarms(alarms)) == 2900'
until_true 'length(alarm_handler:get_alarms()) == 100'
# its process is gone: alarms do not stay
node_eval 'exit(whereis(alarms), stop_it), ok.'
until_true 'alarm_handler:get_alarms() == []'
clean_node release
