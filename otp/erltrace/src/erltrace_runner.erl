%% A process that runs a script for as long as it lives, and hands on what the
%% script gives, every interval: to a process as messages, or to a callback module.
%%
%%     {erltrace, Runner, {records, [erltrace:consumed()]}}
%%     {erltrace, Runner, {snapshot, [{Name, Agg, Keys, Value}]}}   what was aggregated in the interval
%%     {erltrace, Runner, {stopped, ExitStatus}}                    the script called exit()
%%     {erltrace, Runner, {error, {dtrace, Where, Message}}}        it cannot go on
%%
%% After the last two it ends. Empty intervals are silent.
-module(erltrace_runner).
-behaviour(gen_server).

-export([start_link/2, stop/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([option/0]).

-type option() :: {to, pid() | atom()}             % gets the messages; default: the caller
                | {callback, {module(), term()}}   % instead of messages
                | {interval, pos_integer()}        % ms, default 1000
                | {owner, pid()}                   % ends with this process
                | {arguments, [term()]}            % macro arguments $1, $2, ...
                | {open, [erltrace:option()]}      % options of erltrace:open/1
                | {name, atom()}.                  % to be registered by

%% Own: processes that the script should not see.
-callback init(term()) -> {ok, State :: term()} | {ok, State :: term(), Own :: [pid()]} | {stop, Reason :: term()}.
-callback handle_records([erltrace:consumed()], State :: term()) -> {ok, State :: term()} | {stop, Reason :: term(), State :: term()}.
-callback handle_snapshot([tuple()], State :: term()) -> {ok, State :: term()} | {stop, Reason :: term(), State :: term()}.
-callback terminate(Reason :: term(), State :: term()) -> term().
-callback handle_call(Request :: term(), State :: term()) -> {reply, term()}.
-optional_callbacks([terminate/2, handle_call/2]).

-record(state, {handle :: erltrace:handle() | undefined,   % undefined: not open yet
                owner :: reference() | undefined,
                interval :: pos_integer(),
                to :: {process, pid() | atom()} | {callback, module(), term()}}).

-spec start_link(iodata() | erltrace_script:script(), [option()]) -> {ok, pid()} | {error, term()}.
start_link(Program, Options) ->
    Result = case proplists:get_value(name, Options) of
                 undefined -> gen_server:start_link(?MODULE, {Program, Options}, []);
                 Name -> gen_server:start_link({local, Name}, ?MODULE, {Program, Options}, [])
             end,
    case Result of
        {error, {shutdown, Reason}} -> {error, Reason};
        _ -> Result
    end.

%% What is already there is delivered first.
-spec stop(pid() | atom()) -> ok.
stop(Runner) ->
    try gen_server:call(Runner, stop, infinity)
    catch exit:_ -> ok
    end.

init({Program, Options}) ->
    process_flag(trap_exit, true),
    Owner = case proplists:get_value(owner, Options) of
                undefined -> undefined;
                Pid -> erlang:monitor(process, Pid)
            end,
    %% the last {to, _} given counts: the caller's comes first
    To = case proplists:get_value(callback, Options) of
             undefined -> {process, lists:last(proplists:get_all_values(to, Options))};
             {Module, Arg} -> {callback, Module, Arg}
         end,
    case begin_callback(To) of
        {ok, Started, Own} ->
            run(Program, Options, Own, #state{owner = Owner, to = Started,
                                              interval = proplists:get_value(interval, Options, 1000)});
        {stop, Reason} ->
            {stop, Reason}
    end.

begin_callback({callback, Module, Arg}) ->
    case Module:init(Arg) of
        {ok, State} -> {ok, {callback, Module, State}, []};
        {ok, State, Own} -> {ok, {callback, Module, State}, Own};
        Stop -> Stop
    end;
begin_callback(To) ->
    {ok, To, []}.

run(Program, Options, Own, #state{interval = Interval} = S) ->
    Open = [{untraced, [self() | Own]} | proplists:get_value(open, Options, [])],
    Result = case erltrace:open(Open) of
                 {ok, H} ->
                     case erltrace:compile(H, Program, proplists:get_value(arguments, Options, [])) of
                         ok -> {erltrace:go(H), H};
                         Error -> {Error, H}
                     end;
                 Error ->
                     {Error, none}
             end,
    case Result of
        {ok, Handle} ->
            erlang:send_after(Interval, self(), interval),
            {ok, S#state{handle = Handle}};
        {{error, Reason}, Handle} ->
            Handle =:= none orelse erltrace:close(Handle),
            end_callback(Reason, S),
            {stop, {shutdown, Reason}}      % said to the starter; not worth a crash report
    end.

handle_call(stop, _From, #state{handle = H} = S) ->
    erltrace:stop(H),
    {_, S1} = deliver(S),
    {stop, normal, ok, S1};
handle_call(Request, _From, #state{to = {callback, Module, State}} = S) ->
    case erlang:function_exported(Module, handle_call, 2) of
        true ->
            {reply, Reply} = Module:handle_call(Request, State),
            {reply, Reply, S};
        false -> {reply, {error, unknown}, S}
    end;
handle_call(_, _From, S) ->
    {reply, {error, unknown}, S}.

handle_cast(_, S) ->
    {noreply, S}.

handle_info(interval, #state{interval = Interval} = S) ->
    case deliver(S) of
        {go_on, S1} ->
            erlang:send_after(Interval, self(), interval),
            {noreply, S1};
        {{stop, Reason}, S1} ->
            {stop, Reason, S1}
    end;
handle_info({'DOWN', Ref, process, _, _}, #state{owner = Ref} = S) ->
    {stop, normal, S};
handle_info({'EXIT', _, Reason}, S) ->
    {stop, Reason, S};
handle_info(_, S) ->
    {noreply, S}.

terminate(Reason, #state{handle = H} = S) ->
    erltrace:close(H),
    end_callback(Reason, S).

end_callback(Reason, #state{to = {callback, Module, State}}) ->
    erlang:function_exported(Module, terminate, 2) andalso Module:terminate(Reason, State);
end_callback(_, _) ->
    ok.

%% Asks first whether tracing was over, so that what comes then is all there is.
deliver(#state{handle = H} = S) ->
    Status = erltrace:status(H),
    give([{records, fun() -> erltrace:consume(H) end},
          {snapshot, fun() -> erltrace:walk(H, [names]) end}], Status, S).

give([{What, Get} | Rest], Status, S) ->
    case Get() of
        ok ->
            give(Rest, Status, S);
        {ok, Data} ->
            case hand_on(What, Data, S) of
                {ok, S1} -> give(Rest, Status, S1);
                {{stop, _}, _} = Stop -> Stop
            end;
        {error, Reason} = Error ->
            tell(Error, S),
            {{stop, ended(Reason, S)}, S}
    end;
give([], #{state := running}, S) ->
    {go_on, S};
give([], #{state := State, exit_status := Status}, S) when State =:= exited; State =:= filled; State =:= stopped ->
    tell({stopped, Status}, S),
    {{stop, normal}, S};
give([], _, S) ->
    {go_on, S}.

%% A process has been told; a callback module is told by the reason.
ended(_, #state{to = {process, _}}) -> normal;
ended(Reason, _) -> Reason.

hand_on(What, Data, #state{to = {callback, Module, State}} = S) ->
    Result = case What of
                 records -> Module:handle_records(Data, State);
                 snapshot -> Module:handle_snapshot(Data, State)
             end,
    case Result of
        {ok, State1} -> {ok, S#state{to = {callback, Module, State1}}};
        {stop, Reason, State1} -> {{stop, Reason}, S#state{to = {callback, Module, State1}}}
    end;
hand_on(What, Data, S) ->
    tell({What, Data}, S),
    {ok, S}.

%% A name may be nobody's by now.
tell(Message, #state{to = {process, To}}) -> try To ! {erltrace, self(), Message} catch error:badarg -> ok end;
tell(_, _) -> ok.
