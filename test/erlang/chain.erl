%% For tests of requests that are followed: a chain of servers, each of which asks the next one and takes a known time.
%% front (gen_server) asks middle (gen_statem), which asks back (gen_server), which writes to a file.
-module(chain).

-export([start/0, deep/1, order/1, order/2, ask/1, ask/2, late/0, beside/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, callback_mode/0, handle_event/4]).

start() ->
    {ok, _} = gen_server:start({local, back}, ?MODULE, back, []),
    {ok, _} = gen_statem:start({local, middle}, ?MODULE, middle, []),
    {ok, _} = gen_server:start({local, front}, ?MODULE, front, []),
    ok.

%% So many servers, deep1, deep2 …, each of which asks the next.
deep(N) ->
    [{ok, _} = gen_server:start({local, deep_name(I)}, ?MODULE, {deep, I}, []) || I <- lists:seq(1, N)],
    ok.

deep_name(I) -> list_to_atom("deep" ++ integer_to_list(I)).

%% A request through all three. Ms are what front, middle and back take themselves. Waits for the reply for ever, or
%% with a limit: the two are different messages.
order(Ms) -> order(Ms, infinity).
order({_, _, _} = Ms, Limit) -> apart(fun() -> ok = gen_server:call(front, {order, Ms}, Limit) end).

%% A request to one server.
ask(Request) -> ask(back, Request).
ask(Server, Request) -> apart(fun() -> gen_server:call(Server, Request) end).

%% The client gives up before the reply comes, and asks again.
late() ->
    apart(fun() ->
                  {timeout, _} = try gen_server:call(back, {sleep, 3000}, 50) catch exit:Why -> Why end,
                  ok = gen_server:call(back, {sleep, 1})
          end).

%% front puts a request aside and replies later, from an info message in which it asks back for something else.
beside() -> apart(fun() -> ok = gen_server:call(front, aside) end).

%% In a process of its own, which is the client. Returns its pid and how long it took, in us.
apart(Fun) ->
    {Pid, Ref} = spawn_monitor(fun() -> {Us, _} = timer:tc(Fun), exit({took, Us}) end),
    receive {'DOWN', Ref, process, Pid, {took, Us}} -> {pid_to_list(Pid), Us} end.

%% -- servers

init(middle) -> {ok, open, none};
init(back) -> {ok, element(2, {ok, _} = file:open("/dev/null", [raw, write]))};
init({deep, I}) -> {ok, I};
init(front) -> {ok, none}.

handle_call({order, {A, B, C}}, _, S) ->
    timer:sleep(A),
    ok = gen_statem:call(middle, {take, B, C}),
    {reply, ok, S};
handle_call({store, Ms, Writes}, _, Fd) ->
    [ok = file:write(Fd, <<"order">>) || _ <- lists:seq(1, Writes)],
    timer:sleep(Ms),
    {reply, ok, Fd};
handle_call({sleep, Ms}, _, S) ->
    timer:sleep(Ms),
    {reply, ok, S};
handle_call(N, _, I) when is_integer(N), I < N ->
    {reply, gen_server:call(deep_name(I + 1), N), I};
handle_call(N, _, N) ->
    {reply, N, N};
handle_call(aside, From, S) ->
    self() ! {later, From},
    {noreply, S}.

handle_info({later, From}, S) ->
    ok = gen_server:call(back, {sleep, 1}),
    gen_server:reply(From, ok),
    {noreply, S}.

handle_cast(_, S) -> {noreply, S}.

callback_mode() -> handle_event_function.

handle_event({call, From}, {take, Ms, BackMs}, _, _) ->
    timer:sleep(Ms),
    ok = gen_server:call(back, {store, BackMs, 3}),
    {keep_state_and_data, [{reply, From, ok}]};
handle_event(info, _, _, _) ->
    keep_state_and_data.
