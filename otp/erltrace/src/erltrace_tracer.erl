%% The NIF library: the erl_tracer and the sessions. See c_src/nif.c.
%% Nobody but erltrace_agent, erltrace_hub and erltrace calls this.
-module(erltrace_tracer).

-export([load/1]).
-export([enabled/3, enabled_call/3, enabled_send/3, enabled_receive/3, enabled_procs/3, enabled_ports/3,
         enabled_running_procs/3, enabled_running_ports/3, enabled_garbage_collection/3]).
-export([trace/5, trace_call/5, trace_send/5, trace_receive/5, trace_procs/5, trace_ports/5,
         trace_running_procs/5, trace_garbage_collection/5]).
-export([open/3, bind/4, subscribe/3, start/1, go/1, timers/1, fire/2, stop/1, close/1, drain/1, snap/1, status/1, epids/1,
         wants/1, looks/2, own/1, remember/1, recall/0, state/0, node/1, event/3, waits/3, ports/1, natives/1, symbol/1,
         sampler/1, sampled/7]).
-export([user_trace_s1/1, user_trace_i4s4/9, user_trace_n/10]).

-define(NIF, erlang:nif_error(not_loaded)).

%% Path is the library without ".so". Loading it again is fine.
-spec load(file:filename()) -> ok | {error, term()}.
load(Path) ->
    case erlang:load_nif(Path, threads()) of
        ok -> ok;
        {error, {reload, _}} -> ok;
        {error, {upgrade, _}} -> ok;
        {error, _} = Error -> Error
    end.

%% One shard for each thread that callbacks come on, and some for timers.
threads() ->
    erlang:system_info(schedulers)
        + erlang:system_info(dirty_cpu_schedulers)
        + erlang:system_info(dirty_io_schedulers)
        + 2.

enabled(_, _, _) -> discard.
enabled_call(_, _, _) -> discard.
enabled_send(_, _, _) -> discard.
enabled_receive(_, _, _) -> discard.
enabled_procs(_, _, _) -> discard.
enabled_ports(_, _, _) -> discard.
enabled_running_procs(_, _, _) -> discard.
enabled_running_ports(_, _, _) -> discard.
enabled_garbage_collection(_, _, _) -> discard.

trace(_, _, _, _, _) -> ?NIF.
trace_call(_, _, _, _, _) -> ?NIF.
trace_send(_, _, _, _, _) -> ?NIF.
trace_receive(_, _, _, _, _) -> ?NIF.
trace_procs(_, _, _, _, _) -> ?NIF.
trace_ports(_, _, _, _, _) -> ?NIF.
trace_running_procs(_, _, _, _, _) -> ?NIF.
trace_garbage_collection(_, _, _, _, _) -> ?NIF.

open(_Object, _Conf, _Owner) -> ?NIF.
bind(_Handle, _Id, _Names, _Clause) -> ?NIF.
subscribe(_Handle, _Index, _What) -> ?NIF.
start(_Handle) -> ?NIF.
go(_Handle) -> ?NIF.
timers(_Handle) -> ?NIF.
fire(_Handle, _Index) -> ?NIF.
stop(_Handle) -> ?NIF.
close(_Handle) -> ?NIF.
drain(_Handle) -> ?NIF.
snap(_Handle) -> ?NIF.
status(_Handle) -> ?NIF.
epids(_Handle) -> ?NIF.
wants(_Handle) -> ?NIF.
looks(_Handle, _Index) -> ?NIF.
own(_Pids) -> ?NIF.
remember(_Term) -> ?NIF.
recall() -> ?NIF.
state() -> ?NIF.
node(_Name) -> ?NIF.
event(_Name, _Process, _Arguments) -> ?NIF.
waits(_Process, _Port, _Node) -> ?NIF.
ports(_Ports) -> ?NIF.
natives(_Functions) -> ?NIF.
symbol(_Index) -> ?NIF.
sampler(_Pid) -> ?NIF.
sampled(_Row, _Generation, _Times, _Late, _Process, _Mfa, _Stack) -> ?NIF.

%% Without the library nothing can be enabled.
user_trace_s1(_) -> false.
user_trace_i4s4(_, _, _, _, _, _, _, _, _) -> false.
user_trace_n(_, _, _, _, _, _, _, _, _, _) -> false.
