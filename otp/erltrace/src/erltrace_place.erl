%% Brings the library to a node that cannot read it where the command has it: on another machine, or in another
%% container. It is written to a new folder, loaded, and removed at once; the node goes on with what it has mapped.
%%
%% Not every place will do: /tmp may be read-only, or mounted so that nothing in it can be executed. So several are
%% tried, and if all fail the reasons are given. The folder's name comes from the command and cannot be guessed. Nobody
%% else can enter the folder from before anything is in it, whatever the umask. Only what was made here is deleted.
%%
%% If there is no place, a command that is root on the node's machine lends one: see src/node/lend.h.
-module(erltrace_place).

-export([start/4, borrow/0, wait/0, close/0]).

-include_lib("kernel/include/file.hrl").

-define(LOADING, erltrace_loading). % the name that a client has while it sends the modules: src/node/attach.c
-define(LEND_MS, 10000).

%% Starts an agent for Client. The library may be packed by gzip. Told is the only folder to try, if it is not empty, or
%% the process that waits for one: see borrow/0.
-spec start(pid(), binary(), string(), string() | pid()) -> {ok, pid()} | {error | refused, binary()}.
start(Client, Packed, Name, Told) ->
    Library = unpack(Packed),
    {Pid, Ref} = spawn_monitor(fun() -> take_turn(), exit({done, place(Told, Client, Library, Name)}) end),
    receive
        {'DOWN', Ref, process, Pid, {done, Result}} -> Result;
        %% its code was removed: the previous command has just ended, and the next try brings it again
        {'DOWN', Ref, process, Pid, Why} -> {error, unicode:characters_to_binary(io_lib:format("~P", [Why, 12]))}
    end.

unpack(Library) ->
    case binary:part(Library, 0, min(2, byte_size(Library))) of
        <<31, 139>> -> zlib:gunzip(Library);
        _ -> Library
    end.

%% An agent that could not begin for a reason other than the library's place: the client tries again.
place(Told, Client, Library, Name) ->
    try
        case is_pid(Told) of
            true -> lent(Told, Client, Library, Name);
            false -> first(folders(Told), Client, Library, Name, [])
        end
    catch throw:{no_agent, Why} -> {error, Why}
    end.

%% One at a time, under a name: whoever removes the modules waits for it, so that nothing is left half-way.
take_turn() ->
    try register(?MODULE, self()) of
        true -> ok
    catch
        error:badarg -> wait(?MODULE), take_turn()
    end.

%% Waits until nobody is beginning.
-spec wait() -> ok.
wait() ->
    wait(?MODULE),
    wait(?LOADING).

wait(Name) ->
    Ref = erlang:monitor(process, Name),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% From now on nobody begins, and no client sends the modules, until the caller ends. Returns false if somebody is doing
%% it. The processes that hold the names have only OTP's own code and are linked, because the caller may be killed. So
%% the caller must end with another reason than normal.
-spec close() -> boolean().
close() ->
    case hold(?MODULE) of
        false -> false;
        Place ->
            case hold(?LOADING) of
                false -> let_go(Place), false;
                _ -> true
            end
    end.

hold(Name) ->
    Holder = spawn_link(timer, sleep, [infinity]),
    try register(Name, Holder) of
        true -> Holder
    catch
        error:badarg -> let_go(Holder), false
    end.

let_go(Holder) ->
    unlink(Holder),
    exit(Holder, kill).

folders("") ->
    Home = case init:get_argument(home) of
               {ok, [[Dir | _] | _]} -> Dir;
               _ -> ""
           end,
    once([os:getenv("TMPDIR", ""), "/tmp", "/var/tmp", "/dev/shm", Home]);
folders(Told) ->
    [Told].

once([]) -> [];
once(["" | Rest]) -> once(Rest);
once([First | Rest]) -> [First | once([F || F <- Rest, F =/= First])].

first([], _, _, _, Reasons) ->
    {refused, unicode:characters_to_binary(
                  ["the library cannot be put anywhere in the node (-x nodedir=… names another folder): "
                   | lists:join("; ", lists:reverse(Reasons))])};
first([Folder | Rest], Client, Library, Name, Reasons) ->
    case try_folder(Folder, Client, Library, Name) of
        {ok, Agent} -> {ok, Agent};
        {error, Why} -> first(Rest, Client, Library, Name, [[Folder, ": ", text(Why)] | Reasons])
    end.

text(Why) when is_atom(Why) -> file:format_error(Why);
text(Why) -> Why.

try_folder(Folder, Client, Library, Name) ->
    case is_safe(Folder) of
        ok -> in_new(filename:join(Folder, Name), Client, Library);
        Error -> Error
    end.

in_new(Dir, Client, Library) ->
    case file:make_dir(Dir) of
        ok -> try in_own(Dir, Client, Library) after file:del_dir(Dir) end;
        Error -> Error
    end.

%% If everybody may rename what others have made, the folder could be exchanged.
is_safe(Folder) ->
    case file:read_file_info(Folder, [raw]) of
        {ok, #file_info{type = directory, mode = Mode}} when Mode band 8#1002 =:= 8#0002 ->
            {error, "others may change what is in it"};
        {ok, #file_info{type = directory}} ->
            case is_noexec(Folder) of
                true -> {error, "mounted so that nothing in it can be executed (noexec)"};
                false -> ok
            end;
        {ok, _} -> {error, enotdir};
        Error -> Error
    end.

%% It would not load. This is asked before it is tried, because the loader then leaves a part of it mapped.
is_noexec(Folder) ->
    case file:read_file("/proc/self/mountinfo") of
        {ok, Text} ->
            Path = filename:split(filename:absname(Folder)),
            Mounts = [{length(At), Options} || Line <- binary:split(Text, <<"\n">>, [global]),
                                               [_, _, _, _, Point, Options | _] <- [binary:split(Line, <<" ">>, [global])],
                                               At <- [filename:split(unescape(Point))],
                                               lists:prefix(At, Path)],
            %% the innermost, and of those at one place the last
            {_, Options} = lists:foldl(fun({N, _} = New, {Most, _}) when N >= Most -> New; (_, Most) -> Most end, {0, <<>>}, Mounts),
            lists:member(<<"noexec">>, binary:split(Options, <<",">>, [global]));
        _ ->
            false
    end.

%% A space is \040 there.
unescape(Point) ->
    unicode:characters_to_list(list_to_binary(unescape_bytes(binary_to_list(Point)))).

unescape_bytes([$\\, A, B, C | Rest]) when A >= $0, A =< $3 ->
    [((A - $0) * 8 + B - $0) * 8 + C - $0 | unescape_bytes(Rest)];
unescape_bytes([Byte | Rest]) -> [Byte | unescape_bytes(Rest)];
unescape_bytes([]) -> [].

%% The folder is made by the umask's rules: somebody who could enter it before its mode was set may have left something
%% there.
in_own(Dir, Client, Library) ->
    File = filename:join(Dir, "erltrace_tracer.so"),
    case file:change_mode(Dir, 8#700) of
        ok ->
            case file:list_dir(Dir) of
                {ok, []} ->
                    case file:write_file(File, Library, [raw, binary, exclusive]) of
                        ok -> try loaded(File, Client) after file:delete(File) end;
                        {error, eexist} = Error -> Error; % not ours
                        Error -> file:delete(File), Error
                    end;
                {ok, _} -> {error, "somebody has put something into our own folder there"};
                Error -> Error
            end;
        Error ->
            Error
    end.

loaded(File, Client) ->
    ok = file:change_mode(File, 8#500),
    Path = filename:rootname(File),
    case erltrace_tracer:load(Path) of
        ok ->
            case erltrace_agent:start(Client, Path) of
                {ok, Agent} -> {ok, Agent};
                {error, Why} -> throw({no_agent, Why})
            end;
        {error, {Reason, Text}} ->
            {error, io_lib:format("it could not be loaded: ~p: ~ts", [Reason, Text])}
    end.

%% Starts a process that waits for the client to put the descriptor of a folder into its socket, and tells the number of
%% that. Connected to itself, it takes nothing from others.
-spec borrow() -> {ok, pid(), integer()} | {refused, binary()}.
borrow() ->
    Asker = self(),
    {Pid, Ref} = spawn_monitor(fun() -> borrower(Asker) end),
    receive
        {Pid, Socket} -> erlang:demonitor(Ref, [flush]), {ok, Pid, Socket};
        {'DOWN', Ref, process, Pid, Why} -> {refused, unicode:characters_to_binary(io_lib:format("no socket: ~P", [Why, 12]))}
    end.

borrower(Asker) ->
    erltrace_session:hide(),
    Here = #{family => local, path => <<0, (integer_to_binary(rand:uniform(1 bsl 64), 36))/binary>>},
    Socket = step(socket:open(local, dgram)),
    step(socket:bind(Socket, Here)),
    step(socket:connect(Socket, Here)),
    Asker ! {self(), step(socket:getopt(Socket, otp, fd))},
    receive
        {take, From, Text} -> From ! {self(), received(Socket, Text)}
    after ?LEND_MS ->
        ok
    end,
    socket:close(Socket).

%% Ends without a report, which only an error would make.
step(ok) -> ok;
step({ok, Result}) -> Result;
step({error, Why}) -> exit(Why).

%% What does not have the text has come before the socket was connected, from somebody else.
received(Socket, Text) ->
    case socket:recvmsg(Socket, 0, 0, [], ?LEND_MS) of
        {ok, #{iov := [Text], ctrl := [#{level := socket, type := rights, data := <<Fd:32/native>>}]}} -> {ok, Fd};
        {ok, #{ctrl := Controls}} ->
            [give_back(Fd) || #{type := rights, data := Fds} <- Controls, <<Fd:32/native>> <= Fds],
            received(Socket, Text);
        {error, _} = Error -> Error
    end.

%% No public function of OTP closes a descriptor that came in this way.
give_back(Fd) ->
    case prim_file:file_desc_to_ref(Fd, [read]) of
        {ok, File} -> prim_file:close(File);
        Error -> Error
    end.

lent(Pid, Client, Library, Name) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! {take, self(), list_to_binary(Name)},
    Answer = receive
                 {Pid, Got} -> erlang:demonitor(Ref, [flush]), Got;
                 {'DOWN', Ref, process, Pid, _} -> {error, timeout}
             end,
    case Answer of
        {ok, Fd} ->
            Folder = "/proc/self/fd/" ++ integer_to_list(Fd),
            case try in_new(filename:join(Folder, Name), Client, Library) after give_back(Fd) end of
                {ok, Agent} -> {ok, Agent};
                {error, Why} -> {refused, unicode:characters_to_binary(text(Why))}
            end;
        {error, Why} ->
            {refused, unicode:characters_to_binary(io_lib:format("it did not come: ~p", [Why]))}
    end.
