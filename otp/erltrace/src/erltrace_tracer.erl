%% The NIF library: the erl_tracer and the scripts. See c_src/nif.c. Only erltrace_agent, erltrace_hub and erltrace call
%% this.
-module(erltrace_tracer).

-export([load/1, is_loaded/0]).
-export([enabled/3, enabled_call/3, enabled_send/3, enabled_receive/3, enabled_procs/3, enabled_ports/3,
         enabled_running_procs/3, enabled_running_ports/3, enabled_garbage_collection/3]).
-export([trace/5, trace_call/5, trace_receive/5, trace_procs/5, trace_ports/5,
         trace_running_procs/5, trace_garbage_collection/5]).
-export([open/3, open/4, memory/1, places/1, raised/0, sites/1, bind/4, subscribe/3, start/1, go/1, timers/1, fire/2, halt/1, stop/1, close/1, drain/1, snap/1, merge/2,
         status/1, epids/1, fired/1,
         guard/2, wants/1, looks/2, may_count/2, count/2, fold/3, probe/1, own/1, loader/1, chosen/2, strays/0, remember/1, recall/0, state/0, node/1, event/3, level/1, waits/3, ports/1, natives/1, symbol/1,
         sampler/1, sampled/7]).
-export([ask_open/4, ask_go/1, ask_timers/1, ask_fire/2, ask_stop/1, ask_close/1, ask_drain/1, ask_snap/1, ask_merge/2, ask_fold/3]).
-export([user_trace_s1/1, user_trace_i4s4/9, user_trace_n/10]).

-define(NIF, erlang:nif_error(not_loaded)).

%% Path is the library without ".so". It may be loaded again, also if the module was reloaded while scripts run: they go
%% on.
-spec load(file:filename()) -> ok | {error, {atom(), string()}}.
load(Path) ->
    case is_loaded() orelse erlang:load_nif(Path, threads()) of
        true -> ok;
        ok -> ok;
        {error, {reload, _}} -> ok; % somebody else was faster
        {error, _} = Error -> Error
    end.

%% Also false after this module was loaded again: then the library belongs to the previous code.
-spec is_loaded() -> boolean().
is_loaded() ->
    try state() of _ -> true catch error:not_loaded -> false end.

%% One shard for each normal scheduler, and three for all other threads: HUB_OTHERS.
threads() ->
    erlang:system_info(schedulers) + 3.

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
trace_receive(_, _, _, _, _) -> ?NIF.
trace_procs(_, _, _, _, _) -> ?NIF.
trace_ports(_, _, _, _, _) -> ?NIF.
trace_running_procs(_, _, _, _, _) -> ?NIF.
trace_garbage_collection(_, _, _, _, _) -> ?NIF.

%% A thread of the library does what takes longer, and the result comes as a message. A process that waits for a dirty
%% scheduler could wait for as long as others use them.
open(Object, Conf, Owner) -> open(Object, Conf, Owner, <<>>).
open(Object, Conf, Owner, Nonce) -> answer(ask_open(Object, Conf, Owner, Nonce)).
go(Handle) -> answer(ask_go(Handle)).
timers(Handle) -> answer(ask_timers(Handle)).
fire(Handle, Index) -> answer(ask_fire(Handle, Index)).
stop(Handle) -> answer(ask_stop(Handle)).
close(Handle) -> answer(ask_close(Handle)).
drain(Handle) -> answer(ask_drain(Handle)).
snap(Handle) -> answer(ask_snap(Handle)).
merge(Handle, Snapshots) -> answer(ask_merge(Handle, Snapshots)).
fold(Handle, Counts, Ticket) -> answer(ask_fold(Handle, Counts, Ticket)).

answer(Ref) when is_reference(Ref) ->
    receive
        {Ref, badarg} -> error(badarg);
        {Ref, Answer} -> Answer
    end;
answer({error, _} = Error) ->
    Error.

ask_open(_Object, _Conf, _Owner, _Nonce) -> ?NIF.
ask_go(_Handle) -> ?NIF.
ask_timers(_Handle) -> ?NIF.
ask_fire(_Handle, _Index) -> ?NIF.
ask_stop(_Handle) -> ?NIF.
ask_close(_Handle) -> ?NIF.
ask_drain(_Handle) -> ?NIF.
ask_snap(_Handle) -> ?NIF.
ask_merge(_Handle, _Snapshots) -> ?NIF.
ask_fold(_Handle, _Counts, _Ticket) -> ?NIF.

memory(_Handle) -> ?NIF.
places(_Handle) -> ?NIF.
raised() -> ?NIF.
sites(_Names) -> ?NIF.
bind(_Handle, _Id, _Names, _Clause) -> ?NIF.
subscribe(_Handle, _Index, _What) -> ?NIF.
start(_Handle) -> ?NIF.
halt(_Handle) -> ?NIF.
guard(_Hub, _Path) -> ?NIF.
status(_Handle) -> ?NIF.
epids(_Handle) -> ?NIF.
fired(_Handle) -> ?NIF.
wants(_Handle) -> ?NIF.
looks(_Handle, _Index) -> ?NIF.
may_count(_Handle, _Index) -> ?NIF.
count(_Handle, _Agent) -> ?NIF.
probe(_Name) -> ?NIF.
own(_Pids) -> ?NIF.
loader(_Pid) -> ?NIF.
chosen(_Pid, _Of) -> ?NIF.
strays() -> ?NIF.
remember(_Term) -> ?NIF.
recall() -> ?NIF.
state() -> ?NIF.
node(_Name) -> ?NIF.
level(_What) -> ?NIF.
ports(_Ports) -> ?NIF.
natives(_Functions) -> ?NIF.
symbol(_Index) -> ?NIF.
sampler(_Pid) -> ?NIF.
sampled(_Row, _Generation, _Times, _Late, _Process, _Mfa, _Stack) -> ?NIF.

%% Without the library nothing can be enabled.
user_trace_s1(_) -> false.
user_trace_i4s4(_, _, _, _, _, _, _, _, _) -> false.
user_trace_n(_, _, _, _, _, _, _, _, _, _) -> false.
event(_, _, _) -> ok.
waits(_, _, _) -> ok.
