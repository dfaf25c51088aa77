%% See empty_tracer.c.
-module(empty_tracer).
-export([load/1, cpu_time/0]).
-export([enabled/3, enabled_call/3, enabled_send/3, enabled_procs/3, enabled_running_procs/3]).
-export([trace/5, trace_call/5, trace_send/5, trace_procs/5, trace_running_procs/5]).

load(Path) -> erlang:load_nif(Path, 0).

%% ns of CPU that this scheduler's thread has used.
cpu_time() -> erlang:nif_error(not_loaded).

enabled(_, _, _) -> discard.
enabled_call(_, _, _) -> discard.
enabled_send(_, _, _) -> discard.
enabled_procs(_, _, _) -> discard.
enabled_running_procs(_, _, _) -> discard.
trace(_, _, _, _, _) -> ok.
trace_call(_, _, _, _, _) -> ok.
trace_send(_, _, _, _, _) -> ok.
trace_procs(_, _, _, _, _) -> ok.
trace_running_procs(_, _, _, _, _) -> ok.
