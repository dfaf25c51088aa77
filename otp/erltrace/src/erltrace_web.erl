%% The page, from inside an application: live heatmaps, lists and flame graphs of this node in a browser.
%%
%%     {ok, Pid} = erltrace_web:start_link([{port, 0}]).
%%     io:format("~s~n", [erltrace_web:url(Pid)]).
%%
%% The server is the erltrace command (`erltrace serve`), run as a port: a fault in it cannot touch the VM. It ends with
%% this process, and this process with its parent. If the server ends by itself, this process ends with {shutdown,
%% {erltrace_web, Status, Text}} and its supervisor starts another one. docs/page.md has more.
-module(erltrace_web).
-behaviour(gen_server).

-export([start_link/1, url/1, stop/1, child_spec/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([option/0]).

-define(START, 15000).   % ms until the URL must be there
-define(LONGEST, 8192).  % bytes of a line

-type text() :: string() | binary().
-type option() ::
        {name, atom()}                      % registers the process
      | {port, inet:port_number()}          % 8371; 0 for any free port
      | {listen, text()}                    % 127.0.0.1; others need tls_cert and tls_key, or insecure
      | {nodes, [node()]}                   % nodes that scripts may trace; default [node()]
      | {cookie, atom() | text()}           % of the nodes; default that of this node
      | {scripts, text()}                   % folder of ready scripts
      | {hosts, [text()]}                   % names that the server is reached by
      | {tls_cert, text()} | {tls_key, text()} | insecure | {insecure, boolean()}
      | {max_scripts, pos_integer()} | {max_clients, pos_integer()}
      | kernel | {kernel, boolean()}        % scripts may see the kernel and other processes
      | destructive | {destructive, boolean()}
      | {erltrace, string()}.               % the command, if it is neither in priv nor in $PATH

-record(state, {port :: port(),
                asking = [] :: [gen_server:from()], % who waits for a URL, the oldest last
                said = [] :: [binary()]}).

%% Returns when the page can be opened.
-spec start_link([option()]) -> {ok, pid()} | {error, {dtrace, serve, string()} | {already_started, pid()}}.
start_link(Options) ->
    Started = case [N || {name, N} <- Options] of
                  [] -> gen_server:start_link(?MODULE, Options, []);
                  [Name | _] -> gen_server:start_link({local, Name}, ?MODULE, Options, [])
              end,
    case Started of
        {error, {shutdown, {dtrace, _, _} = Reason}} -> {error, Reason};
        Other -> Other
    end.

%% Returns an address with a token that lets one browser in, for some minutes; each call gives a new one.
-spec url(gen_server:server_ref()) -> string().
url(Web) -> gen_server:call(Web, url).

-spec stop(gen_server:server_ref()) -> ok.
stop(Web) -> gen_server:stop(Web).

%% For supervisors; in Elixir {:erltrace_web, options}.
-spec child_spec([option()]) -> supervisor:child_spec().
child_spec(Options) ->
    #{id => proplists:get_value(name, Options, ?MODULE), start => {?MODULE, start_link, [Options]},
      restart => permanent, shutdown => 5000, type => worker, modules => [?MODULE]}.

%% -- the process -----------------------------------------------------------------------------------------------------

init(Options) ->
    process_flag(trap_exit, true),
    case arguments(Options) of
        {ok, Arguments, Cookie} ->
            case erltrace_handle:find_program(proplists:get_value(erltrace, Options)) of
                {ok, Program} -> run(Program, Arguments, Cookie);
                {error, Why} -> failed(Why)
            end;
        {error, Why} ->
            failed(Why)
    end.

failed(Why) -> {stop, {shutdown, {dtrace, serve, Why}}}.

run(Program, Arguments, Cookie) ->
    try open_port({spawn_executable, Program},
                  [{args, ["serve", "--with-stdin" | Arguments]}, {env, [{"ERLTRACE_COOKIE", Cookie}, {"ERLTRACE_OTP", application()}]},
                   {line, ?LONGEST}, binary, use_stdio, stderr_to_stdout, exit_status, hide]) of
        Port -> first_url(Port, [], erlang:monotonic_time(millisecond) + ?START)
    catch
        error:Reason -> failed(format("~ts could not be started: ~p", [Program, Reason]))
    end.

%% Where the part for the nodes is: ebin and priv.
application() ->
    case code:lib_dir(erltrace) of
        {error, _} -> false;
        Dir -> Dir
    end.

first_url(Port, Said, Until) ->
    receive
        {Port, {data, {_, <<"http", _/binary>>}}} ->
            {ok, #state{port = Port}};
        {Port, {data, {_, Line}}} ->
            first_url(Port, [Line | Said], Until);
        {Port, {exit_status, _}} ->
            failed(why(Said))
    after max(0, Until - erlang:monotonic_time(millisecond)) ->
        close(Port),
        failed("the server does not say its URL")
    end.

handle_call(url, From, #state{port = Port, asking = Asking} = S) ->
    try port_command(Port, <<"url\n">>) of
        true -> {noreply, S#state{asking = [From | Asking]}}
    catch
        error:_ -> {noreply, S} % it has ended, and so does this process
    end;
handle_call(_, _From, S) ->
    {reply, {error, unknown}, S}.

handle_cast(_, S) ->
    {noreply, S}.

handle_info({Port, {data, {_, <<"http", _/binary>> = Url}}}, #state{port = Port, asking = [_ | _] = Asking} = S) ->
    gen_server:reply(lists:last(Asking), binary_to_list(Url)),
    {noreply, S#state{asking = lists:droplast(Asking)}};
handle_info({Port, {data, {_, <<"http", _/binary>>}}}, #state{port = Port} = S) ->
    {noreply, S}; % that nobody here has asked for
handle_info({Port, {data, {_, Line}}}, #state{port = Port, said = Said} = S) ->
    {noreply, S#state{said = lists:sublist([Line | Said], 20)}};
handle_info({Port, {exit_status, Status}}, #state{port = Port, said = Said} = S) ->
    {stop, {shutdown, {erltrace_web, Status, why(Said)}}, S};
handle_info({'EXIT', Port, Reason}, #state{port = Port, said = Said} = S) ->
    {stop, {shutdown, {erltrace_web, Reason, why(Said)}}, S};
handle_info(_, S) ->
    {noreply, S}.

%% Its standard input is closed: the server ends what runs, and then itself.
terminate(_Reason, #state{port = Port}) ->
    close(Port).

%% It may have ended by itself.
close(Port) ->
    try port_close(Port), ok catch error:badarg -> ok end.

%% -- options ---------------------------------------------------------------------------------------------------------

arguments(Options) ->
    try
        Given = proplists:get_value(nodes, Options),
        Nodes = case Given of
                    undefined when node() =:= nonode@nohost ->
                        throw("this node has no name, so the page could not reach it: start it with -sname or -name, "
                              "or give {nodes, Nodes}");
                    undefined -> [node()];
                    _ -> Given
                end,
        Cookie = case proplists:get_value(cookie, Options) of
                     undefined when node() =:= nonode@nohost -> false;
                     undefined -> atom_to_list(erlang:get_cookie());
                     C -> text(C)
                 end,
        {ok, lists:append([["-N", text(N)] || N <- Nodes]) ++ lists:append([argument(O) || O <- Options]), Cookie}
    catch
        throw:Why -> {error, Why}
    end.

argument({name, N}) when is_atom(N) -> [];
argument({nodes, _}) -> [];
argument({cookie, _}) -> [];
argument({erltrace, _}) -> [];
argument({port, N}) when is_integer(N) -> ["--port", integer_to_list(N)];
argument({listen, A}) -> ["--listen", text(A)];
argument({scripts, F}) -> ["--scripts", text(F)];
argument({hosts, Hosts}) when is_list(Hosts) -> lists:append([["--host", text(H)] || H <- Hosts]);
argument({tls_cert, F}) -> ["--tls-cert", text(F)];
argument({tls_key, F}) -> ["--tls-key", text(F)];
argument({max_scripts, N}) when is_integer(N) -> ["--max-scripts", integer_to_list(N)];
argument({max_clients, N}) when is_integer(N) -> ["--max-clients", integer_to_list(N)];
argument(kernel) -> ["--kernel"];
argument({kernel, true}) -> ["--kernel"];
argument({kernel, false}) -> [];
argument(insecure) -> ["--insecure"];
argument({insecure, true}) -> ["--insecure"];
argument({insecure, false}) -> [];
argument(destructive) -> ["-w"];
argument({destructive, true}) -> ["-w"];
argument({destructive, false}) -> [];
argument(Other) -> throw(format("not an option of erltrace_web:start_link/1: ~tp", [Other])).

text(A) when is_atom(A) -> atom_to_list(A);
text(T) ->
    try unicode:characters_to_list(T) of
        L when is_list(L) -> L;
        _ -> throw(format("not a text: ~tp", [T]))
    catch
        error:badarg -> throw(format("not a text: ~tp", [T]))
    end.

%% Only the first line says what went wrong; usage follows.
why(Said) ->
    case [L || <<"erltrace serve: ", L/binary>> <- lists:reverse(Said), not is_warning(L)] of
        [Line | _] -> characters(Line);
        [] -> characters(iolist_to_binary(lists:join($\n, lists:reverse(Said))))
    end.

%% Said at every start with this option.
is_warning(<<"--kernel", _/binary>>) -> true;
is_warning(_) -> false.

characters(Bytes) ->
    case unicode:characters_to_list(Bytes) of
        L when is_list(L) -> L;
        _ -> binary_to_list(Bytes)
    end.

format(Format, Arguments) -> lists:flatten(io_lib:format(Format, Arguments)).
