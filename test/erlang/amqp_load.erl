%% An AMQP client: publishes this many messages, over one or several connections, each to a queue of its own, and
%% consumes them. Uses the broker's own client library.
-module(amqp_load).
-export([main/1]).

%% The records of amqp_client and rabbit_framing, so that their headers need not be installed.
-record('queue.declare', {ticket = 0, queue = <<>>, passive = false, durable = false, exclusive = false,
                          auto_delete = false, nowait = false, arguments = []}).
-record('basic.publish', {ticket = 0, exchange = <<>>, routing_key = <<>>, mandatory = false, immediate = false}).
-record('basic.consume', {ticket = 0, queue = <<>>, consumer_tag = <<>>, no_local = false, no_ack = false,
                          exclusive = false, nowait = false, arguments = []}).
-record('P_basic', {content_type, content_encoding, headers, delivery_mode, priority, correlation_id, reply_to,
                    expiration, message_id, timestamp, type, user_id, app_id, cluster_id}).
-record(amqp_msg, {props = #'P_basic'{}, payload = <<>>}).
-record(amqp_params_network, {username = <<"guest">>, password = <<"guest">>, virtual_host = <<"/">>,
                              host = "localhost", port = undefined, channel_max = 2047, frame_max = 0, heartbeat = 10,
                              connection_timeout = 60000, ssl_options = none,
                              auth_mechanisms = [fun amqp_auth_mechanisms:plain/3, fun amqp_auth_mechanisms:amqplain/3],
                              client_properties = [], socket_options = []}).

main([Host, Port, Count]) ->
    main([Host, Port, Count, "1"]);
main([Host, Port, Count, Connections]) ->
    N = list_to_integer(Count),
    logger:set_primary_config(level, error),
    {ok, _} = application:ensure_all_started(amqp_client),
    Params = #amqp_params_network{host = Host, port = list_to_integer(Port)},
    All = [open(Params, I) || I <- lists:seq(1, list_to_integer(Connections))],
    publish(N, All, []),
    io:format("got ~b~n", [gather(N, 0)]),
    [amqp_connection:close(Connection) || {Connection, _, _} <- All],
    erlang:halt(0).

open(Params, I) ->
    {ok, Connection} = amqp_connection:start(Params),
    {ok, Channel} = amqp_connection:open_channel(Connection),
    Queue = iolist_to_binary(io_lib:format("load-~s-~b", [os:getpid(), I])),
    amqp_channel:call(Channel, #'queue.declare'{queue = Queue, exclusive = true}),
    amqp_channel:subscribe(Channel, #'basic.consume'{queue = Queue, no_ack = true}, self()),
    {Connection, Channel, Queue}.

%% In turn.
publish(0, _, _) ->
    ok;
publish(N, [], Used) ->
    publish(N, lists:reverse(Used), []);
publish(N, [{_, Channel, Queue} = Next | Rest], Used) ->
    amqp_channel:cast(Channel, #'basic.publish'{routing_key = Queue}, #amqp_msg{payload = integer_to_binary(N)}),
    publish(N - 1, Rest, [Next | Used]).

gather(0, Got) -> Got;
gather(Left, Got) ->
    receive
        {_, #amqp_msg{}} -> gather(Left - 1, Got + 1);
        _ -> gather(Left, Got)
    after 20000 ->
        Got
    end.
