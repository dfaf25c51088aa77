%% A handle: one D program, from opening to closing, for the process that opened it. Compiler and consumer run in a port
%% program (the erltrace command, --port), the script itself in an agent. This process carries their messages to each
%% other, and the commands of the handle's users, one at a time.
%%
%% The port program and the agent are bound to this process, and this process ends with its owner. However it ends,
%% nothing is left switched on.
-module(erltrace_handle).
-behaviour(gen_server).

-export([open/2, command/2, refuse/3, close/1, find_program/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(TICK, 250).        % ms between turns: exit() is noticed, aggregations leave the VM
-define(ALIVE, 10000).     % ms between signs of life for the agent

-record(state, {owner :: reference(),
                port :: port() | undefined,
                agent :: pid() | undefined,
                agent_ref :: reference() | undefined,
                asked = 0 :: non_neg_integer(),     % the request that the agent is working on
                broken :: undefined | string(),
                failed :: undefined | {error, term()},  % an error of one of our own turns, for the next caller
                binaries = false :: boolean(),
                next = 1 :: pos_integer(),
                current :: undefined | {pos_integer(), term(), term()},
                waiting = queue:new() :: queue:queue({term(), term()}),
                remote = false :: boolean(),        % of another node: the program talks to its agent by itself
                going = false :: boolean()}).

-spec open(pid(), #{program => string() | undefined, binaries => boolean(),
                   node => node(), nodes => [node()], untraced => [pid() | port()]}) -> {ok, pid()} | {error, term()}.
open(Owner, Options) ->
    case gen_server:start(?MODULE, {Owner, Options}, []) of
        {ok, Pid} -> {ok, Pid};
        {error, {shutdown, {dtrace, _, _} = Reason}} -> {error, Reason}
    end.

%% What the port program says to a command.
-spec command(pid(), term()) -> term().
command(Handle, Command) ->
    try gen_server:call(Handle, {command, Command}, infinity)
    catch exit:_ -> {error, {dtrace, port, "the handle is closed"}}
    end.

%% An error about what was given, in the kind of strings that the handle answers with.
-spec refuse(pid(), atom(), string()) -> {error, {dtrace, atom(), string() | binary()}}.
refuse(Handle, Where, Text) ->
    try gen_server:call(Handle, {refuse, Where, Text}, infinity)
    catch exit:_ -> {error, {dtrace, port, "the handle is closed"}}
    end.

-spec close(pid()) -> ok.
close(Handle) ->
    try gen_server:call(Handle, close, infinity)
    catch exit:_ -> ok
    end.

%% The command: as told, in the application, beside it, in $PATH.
-spec find_program(string() | undefined) -> {ok, string()} | {error, string()}.
find_program(undefined) ->
    Places = case code:priv_dir(erltrace) of
                 {error, _} -> [];
                 Priv -> [filename:join(Priv, "erltrace"), filename:join([Priv, "..", "..", "..", "erltrace"])]
             end,
    case [P || P <- Places, is_program(P)] ++ [P || P <- [os:find_executable("erltrace")], P =/= false] of
        [Program | _] -> {ok, Program};
        [] -> {error, "the erltrace command is neither in the application's priv folder nor in $PATH; "
                      "give its place with the option {erltrace, Path}"}
    end;
find_program(Path) ->
    case is_program(Path) of
        true -> {ok, Path};
        false -> {error, lists:flatten(io_lib:format("~ts is not a program", [Path]))}
    end.

is_program(Path) ->
    filelib:is_regular(Path) andalso os:find_executable(filename:basename(Path), filename:dirname(Path)) =/= false.

%% -- the process -----------------------------------------------------------------------------------------------------

init({Owner, Options}) ->
    erltrace_session:hide(),
    process_flag(trap_exit, true),
    Ref = erlang:monitor(process, Owner),
    case start_program(maps:get(program, Options, undefined)) of
        {ok, Port} ->
            S = #state{owner = Ref, port = Port, remote = maps:is_key(node, Options) orelse maps:is_key(nodes, Options),
                       binaries = maps:get(binaries, Options, false)},
            erlang:send_after(?ALIVE, self(), alive),
            case S#state.remote orelse start_agent([self(), Port | maps:get(untraced, Options, [])]) of
                true ->
                    {ok, S};
                {ok, Agent} ->
                    {ok, S#state{agent = Agent, agent_ref = erlang:monitor(process, Agent)}};
                {error, Text} ->
                    {stop, {shutdown, {dtrace, open, text(Options, Text)}}}
            end;
        {error, Text} ->
            {stop, {shutdown, {dtrace, open, text(Options, Text)}}}
    end.

start_program(Path) ->
    case find_program(Path) of
        {ok, Program} ->
            try
                {ok, open_port({spawn_executable, Program},
                               [{args, ["--port"]}, {packet, 4}, binary, nouse_stdio, exit_status, hide])}
            catch error:Reason ->
                {error, lists:flatten(io_lib:format("~ts could not be started: ~p", [Program, Reason]))}
            end;
        Error ->
            Error
    end.

start_agent(Own) ->
    Library = filename:join(code:priv_dir(erltrace), "erltrace_tracer"),
    erltrace_agent:start(self(), Library, Own).

handle_call({command, Command}, From, #state{waiting = Waiting} = S) ->
    next(S#state{waiting = queue:in({From, Command}, Waiting)});
handle_call({refuse, Where, Text}, _From, S) ->
    {reply, {error, {dtrace, Where, text(S, Text)}}, S};
handle_call(close, From, #state{broken = undefined, waiting = Waiting} = S) ->
    next(S#state{waiting = queue:in({From, close}, Waiting)});
handle_call(close, _From, S) ->
    {stop, normal, ok, S}.

handle_cast(_, S) ->
    {noreply, S}.

handle_info({Port, {data, Bytes}}, #state{port = Port} = S) ->
    from_program(binary_to_term(Bytes), S);
handle_info({Ref, Reply}, #state{port = Port} = S) when is_integer(Ref), Ref > 0, Port =/= undefined ->
    send(S, {Ref, Reply}),
    {noreply, S#state{asked = 0}};
handle_info(tick, #state{going = true, current = undefined, broken = undefined} = S) ->
    next(S#state{waiting = queue:in({tick, tick}, S#state.waiting)});
handle_info(tick, S) ->
    {noreply, tick(S)};
handle_info(alive, #state{remote = true, broken = undefined} = S) ->
    erlang:send_after(?ALIVE, self(), alive),
    next(S#state{waiting = queue:in({tick, alive}, S#state.waiting)});
handle_info(alive, #state{agent = Agent} = S) ->
    Agent =:= undefined orelse (Agent ! {erltrace, self(), 0, alive}),
    erlang:send_after(?ALIVE, self(), alive),
    {noreply, S};
handle_info({'DOWN', Ref, process, _, _}, #state{owner = Ref} = S) ->
    {stop, normal, S};
handle_info({'DOWN', Ref, process, _, _}, #state{agent_ref = Ref} = S) ->
    agent_gone(S);
handle_info({Port, {exit_status, Status}}, #state{port = Port} = S) ->
    program_gone(Status, S);
handle_info({'EXIT', Port, Reason}, #state{port = Port} = S) ->
    program_gone(Reason, S);
handle_info(_, S) ->
    {noreply, S}.

terminate(_Reason, S) ->
    stop_agent(S),
    ok.

%% -- one command at a time -------------------------------------------------------------------------------------------

next(#state{broken = Why, waiting = Waiting} = S) when Why =/= undefined ->
    [answer(From, {error, {dtrace, port, text(S, Why)}}) || {From, _} <- queue:to_list(Waiting)],
    {noreply, S#state{waiting = queue:new()}};
next(#state{current = undefined, waiting = Waiting, next = Id} = S) ->
    case queue:out(Waiting) of
        {empty, _} ->
            {noreply, S};
        {{value, {From, Command}}, Rest} ->
            case tells_failure(Command) andalso S#state.failed of
                {error, _} = Error ->
                    answer(From, Error),
                    next(S#state{failed = undefined, waiting = Rest});
                _ ->
                    send(S, {Id, Command}),
                    {noreply, S#state{current = {Id, From, Command}, waiting = Rest, next = Id + 1}}
            end
    end;
next(S) ->
    {noreply, S}.

%% Whether its caller is told that one of our own turns failed, also if it was asked during that turn.
tells_failure(consume) -> true;
tells_failure({walk, _}) -> true;
tells_failure(_) -> false.

send(#state{port = Port}, Term) ->
    try port_command(Port, term_to_binary(Term))
    catch error:badarg -> false     % its end is on the way
    end.

answer(tick, _) -> ok;
answer(From, Reply) -> gen_server:reply(From, Reply).

from_program({request, Ref, _Request}, #state{agent = undefined} = S) ->
    send(S, {Ref, {error, <<"the agent is gone">>}}),
    {noreply, S};
from_program({request, Ref, Request}, #state{agent = Agent} = S) ->
    Agent ! {erltrace, self(), Ref, Request},
    {noreply, S#state{asked = Ref}};
from_program({reply, Id, Result}, #state{current = {Id, From, Command}} = S) ->
    answer(From, Result),
    case Command of
        close -> {stop, normal, S#state{current = undefined}};
        _ -> next(after_command(Command, Result, S#state{current = undefined}))
    end.

after_command(go, ok, S) ->
    tick(S#state{going = true});
after_command(tick, {ok, running, _}, S) ->
    tick(S);
after_command(tick, {error, _} = Error, S) ->
    S#state{going = false, failed = Error};
after_command(tick, _, S) ->
    S#state{going = false};
after_command(_, _, S) ->
    S.

tick(#state{going = true} = S) ->
    erlang:send_after(?TICK, self(), tick),
    S;
tick(S) ->
    S.

%% -- when something breaks -------------------------------------------------------------------------------------------

%% The program is told now if it waits for an answer, otherwise at its next request.
agent_gone(#state{asked = Ref} = S) ->
    Ref =:= 0 orelse send(S, {Ref, {error, <<"the agent is gone">>}}),
    {noreply, S#state{agent = undefined, agent_ref = undefined, asked = 0}}.

program_gone(Status, #state{broken = undefined, current = Current, waiting = Waiting} = S) ->
    Why = lists:flatten(io_lib:format("the erltrace command has ended (~p); tracing was stopped", [Status])),
    All = case Current of
              undefined -> Waiting;
              {_, From, Command} -> queue:in_r({From, Command}, Waiting)
          end,
    stop_agent(S),
    next(S#state{port = undefined, agent = undefined, agent_ref = undefined, going = false, broken = Why,
                 current = undefined, waiting = All});
program_gone(_, S) ->
    {noreply, S}.

stop_agent(#state{agent = undefined}) -> ok;
stop_agent(#state{agent = Agent}) -> Agent ! {erltrace, self(), 0, close}.

text(#state{binaries = true}, Text) -> unicode:characters_to_binary(Text);
text(#{binaries := true}, Text) -> unicode:characters_to_binary(Text);
text(_, Text) -> unicode:characters_to_list(Text).
