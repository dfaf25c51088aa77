%% The alerts of a script as alarms of this application: set and cleared in SASL's alarm_handler, and told to callbacks.
%%
%%     {ok, Pid} = erltrace_alarms:start_link(Script, #{to => [alarm_handler, shop_pager]})
%%
%% Alerts with the same level and key are one alarm. It begins with the first of them. One of alert() is over when it has not
%% happened for `resolve`; one over an aggregation (alert p99(@wait) > 50ms for 30s) says so itself. docs/alerts.md has the
%% language. With several nodes what happens on two of them is two alarms, whose ids have the node.
%%
%% Each destination has a process of its own, which is told one thing at a time, with what is true then. So a callback that hangs or
%% fails delays nobody else, and nothing queues up: it is ended after 10 s and tried again after 1 s, 2, 4 ... 30 s. At most
%% `most` alarms are kept; further ones are counted.
%%
%% When this process ends, for whatever reason but kill, its alarms are cleared.
-module(erltrace_alarms).
-behaviour(gen_server).

-export([start_link/2, stop/1, alarms/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([options/0, alarm/0, destination/0]).

-type destination() :: alarm_handler                      % SASL's
                     | module()                           % with handle_alarm/1
                     | {module(), Extra :: term()}        % with handle_alarm/2
                     | fun((alarm()) -> term()).
-type alarm() :: #{id := term(), status := firing | resolved, level := info | warning | error | critical, key := binary(),
                   text := binary(), place := binary(), values := [term()], count := pos_integer(),
                   since := Seconds :: integer(), until => Seconds :: integer(),
                   probe => erltrace:probe(), node => node(),
                   condition => binary(), value => integer(), limit => integer(), unit => binary()}.
-type options() :: #{to := [destination()],
                     id => term(),                        % first part of an alarm's id; default erltrace
                     resolve => pos_integer(),            % ms, 60000
                     repeat => pos_integer() | infinity,  % ms, callbacks are told again; 300000
                     most => pos_integer(),               % 1000
                     interval => pos_integer(),           % ms, 1000
                     arguments => [term()], open => [erltrace:option()], name => atom()}.

-callback handle_alarm(alarm()) -> term().
-callback handle_alarm(alarm(), Extra :: term()) -> term().
-optional_callbacks([handle_alarm/1, handle_alarm/2]).

-define(DEADLINE, 10000).
-define(LAST, 2000).                                      % for what is still to be told at the end

-record(alarm, {is :: alarm(), last :: integer(), told :: integer()}).
-record(dest, {to :: destination(),
               worker :: undefined | {pid(), reference(), Key :: term(), Since :: integer()},
               due = #{} :: #{term() => true},
               backoff = 0 :: non_neg_integer(),
               not_before :: integer()}).
-record(state, {runner :: pid(),
                id :: term(),
                resolve :: pos_integer(),
                repeat :: pos_integer() | infinity,
                most :: pos_integer(),
                interval :: pos_integer(),
                alarms = #{} :: #{term() => #alarm{}},
                ended = #{} :: #{term() => alarm()},      % over, but not told to all
                dests :: [#dest{}],
                dropped = 0 :: non_neg_integer()}).

-spec start_link(iodata() | erltrace_script:script(), options()) -> {ok, pid()} | {error, term()}.
start_link(Program, #{to := _} = Options) ->
    Result = case Options of
                 #{name := Name} -> gen_server:start_link({local, Name}, ?MODULE, {Program, Options}, []);
                 _ -> gen_server:start_link(?MODULE, {Program, Options}, [])
             end,
    case Result of
        {error, {shutdown, Reason}} -> {error, Reason};
        _ -> Result
    end.

-spec stop(pid() | atom()) -> ok.
stop(Pid) ->
    try gen_server:call(Pid, stop, infinity)
    catch exit:_ -> ok
    end.

%% What is alarming now, and how many alarms there was no room for.
-spec alarms(pid() | atom()) -> {[alarm()], Dropped :: non_neg_integer()}.
alarms(Pid) -> gen_server:call(Pid, alarms).

init({Program, #{to := To} = Options}) ->
    process_flag(trap_exit, true),
    Interval = maps:get(interval, Options, 1000),
    case lists:member(alarm_handler, To) andalso whereis(alarm_handler) =:= undefined of
        true -> {stop, {shutdown, {dtrace, alarms, <<"alarm_handler is not running: start the application sasl">>}}};
        false ->
            Runner = [{to, self()}, {interval, Interval}, {open, [binary, alerts, {untraced, [self()]} | maps:get(open, Options, [])]}]
                     ++ [{arguments, maps:get(arguments, Options)} || maps:is_key(arguments, Options)],
            case erltrace_runner:start_link(Program, Runner) of
                {ok, Pid} ->
                    erlang:send_after(Interval, self(), look),
                    {ok, #state{runner = Pid, interval = Interval,
                                id = maps:get(id, Options, erltrace),
                                resolve = maps:get(resolve, Options, 60000),
                                repeat = maps:get(repeat, Options, 300000),
                                most = maps:get(most, Options, 1000),
                                dests = [#dest{to = T, not_before = now_ms()} || T <- To]}};
                {error, Reason} -> {stop, {shutdown, Reason}}
            end
    end.

handle_call(alarms, _From, #state{alarms = Alarms, dropped = Dropped} = S) ->
    {reply, {lists:sort([A || #alarm{is = A} <- maps:values(Alarms)]), Dropped}, S};
handle_call(stop, _From, S) ->
    {stop, normal, ok, S};
handle_call(_, _From, S) ->
    {reply, {error, unknown}, S}.

handle_cast(_, S) ->
    {noreply, S}.

handle_info({erltrace, Runner, {records, Records}}, #state{runner = Runner} = S) ->
    {noreply, work(lists:foldl(fun record/2, S, Records))};
handle_info({erltrace, Runner, {error, Reason}}, #state{runner = Runner} = S) ->
    {stop, {shutdown, Reason}, S};
handle_info({erltrace, Runner, {stopped, _}}, #state{runner = Runner} = S) ->
    {stop, normal, S};
handle_info(look, #state{interval = Interval} = S) ->
    erlang:send_after(Interval, self(), look),
    {noreply, work(look(S))};
handle_info({'DOWN', Ref, process, Pid, Reason}, S) ->
    {noreply, work(told(Pid, Ref, Reason, S))};
handle_info({'EXIT', Runner, Reason}, #state{runner = Runner} = S) ->
    {stop, Reason, S};
handle_info({'EXIT', _, Reason}, S) ->
    {stop, Reason, S};
handle_info(_, S) ->
    {noreply, S}.

terminate(_, #state{runner = Runner, alarms = Alarms} = S) ->
    Dests = [end_worker(D) || D <- S#state.dests],
    Over = lists:foldl(fun(Key, S1) -> over(Key, S1) end, S#state{dests = Dests}, maps:keys(Alarms)),
    last(Over, now_ms() + ?LAST),
    erltrace_runner:stop(Runner).

%% -- the alarms --------------------------------------------------------------------------------------------------------

record({alert, #{level := Level, key := Key, status := Status} = Alert}, S) ->
    alert(Status, {Level, Key, maps:get(node, Alert, node())}, Alert, S);
record(_, S) -> S.

alert(resolved, Key, Alert, #state{alarms = Alarms} = S) ->
    case Alarms of
        #{Key := #alarm{is = A} = X} -> over(Key, S#state{alarms = Alarms#{Key := X#alarm{is = renew(A, Alert, 0)}}});
        _ -> S
    end;
alert(Status, Key, Alert, #state{alarms = Alarms, most = Most, dropped = Dropped} = S) ->
    Now = now_ms(),
    More = case Status of again -> 0; firing -> 1 end,
    case Alarms of
        #{Key := #alarm{is = A} = X} ->
            S#state{alarms = Alarms#{Key := X#alarm{is = renew(A, Alert, More), last = Now}}};
        _ when map_size(Alarms) >= Most ->
            S#state{dropped = Dropped + More};
        _ ->
            A = Alert#{id => id(Alert, S), status => firing, count => 1, since => erlang:system_time(second)},
            due(Key, S#state{alarms = Alarms#{Key => #alarm{is = A, last = Now, told = Now}},
                             ended = maps:remove(Key, S#state.ended)})
    end.

%% The handler of alarms knows them by this: no two may have the same. Only with several nodes an alert has its node.
id(#{level := Level, key := Key, node := Node}, #state{id = Id}) -> {Id, Level, Key, Node};
id(#{level := Level, key := Key}, #state{id = Id}) -> {Id, Level, Key}.

renew(#{count := Count} = A, Alert, More) ->
    maps:merge(A, (maps:with([text, values, value], Alert))#{count => Count + More}).

over(Key, #state{alarms = Alarms, ended = Ended} = S) ->
    {#alarm{is = A}, Rest} = maps:take(Key, Alarms),
    Over = A#{status => resolved, until => erlang:system_time(second)},
    due(Key, S#state{alarms = Rest, ended = Ended#{Key => Over}}).

due(Key, #state{dests = Dests} = S) ->
    S#state{dests = [D#dest{due = (D#dest.due)#{Key => true}} || D <- Dests]}.

look(#state{alarms = Alarms, resolve = Resolve, repeat = Repeat} = S) ->
    Now = now_ms(),
    maps:fold(fun(Key, #alarm{last = Last}, Acc) when Now - Last >= Resolve -> over(Key, Acc);
                 (Key, #alarm{told = Told} = X, Acc) when is_integer(Repeat), Now - Told >= Repeat ->
                      Again = Acc#state{alarms = (Acc#state.alarms)#{Key := X#alarm{told = Now}}},
                      Again#state{dests = [case D#dest.to of
                                               alarm_handler -> D;   % it keeps what was set
                                               _ -> D#dest{due = (D#dest.due)#{Key => true}}
                                           end || D <- Again#state.dests]};
                 (_, _, Acc) -> Acc
              end, S, Alarms).

%% -- telling -----------------------------------------------------------------------------------------------------------

work(#state{dests = Dests} = S) ->
    S1 = S#state{dests = [deliver(D, S) || D <- Dests]},
    Due = lists:foldl(fun(#dest{due = M, worker = W}, Acc) ->
                              Busy = case W of {_, _, K, _} -> #{K => true}; undefined -> #{} end,
                              maps:merge(Acc, maps:merge(M, Busy))
                      end, #{}, S1#state.dests),
    S1#state{ended = maps:with(maps:keys(Due), S1#state.ended)}.

deliver(#dest{worker = {Pid, Ref, _, Since}} = D, _) ->
    case now_ms() - Since > ?DEADLINE of
        true ->
            erlang:demonitor(Ref, [flush]),
            exit(Pid, kill),
            failed(timeout, D);
        false -> D
    end;
deliver(#dest{due = Due} = D, _) when map_size(Due) =:= 0 -> D;
deliver(#dest{to = To, due = Due, not_before = NotBefore} = D, S) ->
    Now = now_ms(),
    case maps:next(maps:iterator(Due)) of
        {Key, _, _} when Now >= NotBefore ->
            case current(Key, S) of
                undefined -> deliver(D#dest{due = maps:remove(Key, Due)}, S);
                Alarm ->
                    {Pid, Ref} = spawn_monitor(fun() -> tell(To, Alarm) end),
                    D#dest{due = maps:remove(Key, Due), worker = {Pid, Ref, Key, Now}}
            end;
        _ -> D
    end.

current(Key, #state{alarms = Alarms, ended = Ended}) ->
    case {Alarms, Ended} of
        {#{Key := #alarm{is = A}}, _} -> A;
        {_, #{Key := A}} -> A;
        _ -> undefined
    end.

told(Pid, Ref, Reason, #state{dests = Dests} = S) ->
    S#state{dests = [case D of
                         #dest{worker = {Pid, Ref, _, _}} when Reason =:= normal ->
                             D#dest{worker = undefined, backoff = 0};
                         #dest{worker = {Pid, Ref, _, _}} -> failed(Reason, D);
                         _ -> D
                     end || D <- Dests]}.

failed(Reason, #dest{worker = {_, _, Key, _}, to = To, due = Due, backoff = Backoff} = D) ->
    Backoff =:= 0 andalso
        logger:error("erltrace_alarms: ~0tp could not be told and is tried again: ~0tP", [To, Reason, 30]),
    Next = min(30000, max(1000, Backoff * 2)),
    D#dest{worker = undefined, due = Due#{Key => true}, backoff = Next, not_before = now_ms() + Next}.

end_worker(#dest{worker = {Pid, Ref, Key, _}, due = Due} = D) ->
    receive {'DOWN', Ref, process, Pid, normal} -> D#dest{worker = undefined}
    after 100 ->
            erlang:demonitor(Ref, [flush]),
            exit(Pid, kill),
            D#dest{worker = undefined, due = Due#{Key => true}}
    end;
end_worker(D) -> D.

%% All that is due, once, to all at the same time.
last(#state{dests = Dests} = S, Until) ->
    Workers = [spawn_monitor(fun() -> [tell(To, A) || Key <- maps:keys(Due), A <- [current(Key, S)], A =/= undefined] end)
               || #dest{to = To, due = Due} <- Dests],
    [receive {'DOWN', Ref, process, Pid, _} -> ok
     after max(0, Until - now_ms()) -> exit(Pid, kill)
     end || {Pid, Ref} <- Workers],
    ok.

tell(alarm_handler, #{status := firing, id := Id} = Alarm) -> alarm_handler:set_alarm({Id, maps:remove(id, Alarm)});
tell(alarm_handler, #{status := resolved, id := Id}) -> alarm_handler:clear_alarm(Id);
tell(Fun, Alarm) when is_function(Fun, 1) -> Fun(Alarm);
tell({Module, Extra}, Alarm) -> Module:handle_alarm(Alarm, Extra);
tell(Module, Alarm) -> Module:handle_alarm(Alarm).

now_ms() -> erlang:monotonic_time(millisecond).
