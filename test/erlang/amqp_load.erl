%% An AMQP client: publishes this many messages to its own queue, and consumes them. Uses the broker's own client
%% library.
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
    N = list_to_integer(Count),
    logger:set_primary_config(level, error),
    {ok, _} = application:ensure_all_started(amqp_client),
    {ok, Connection} = amqp_connection:start(#amqp_params_network{host = Host, port = list_to_integer(Port)}),
    {ok, Channel} = amqp_connection:open_channel(Connection),
    Queue = iolist_to_binary(io_lib:format("load-~s", [os:getpid()])),
    amqp_channel:call(Channel, #'queue.declare'{queue = Queue, exclusive = true}),
    amqp_channel:subscribe(Channel, #'basic.consume'{queue = Queue, no_ack = true}, self()),
    [amqp_channel:cast(Channel, #'basic.publish'{routing_key = Queue},
                       #amqp_msg{payload = integer_to_binary(I)}) || I <- lists:seq(1, N)],
    io:format("got ~b~n", [gather(N, 0)]),
    amqp_connection:close(Connection),
    erlang:halt(0).

gather(0, Got) -> Got;
gather(Left, Got) ->
    receive
        {_, #amqp_msg{}} -> gather(Left - 1, Got + 1);
        _ -> gather(Left, Got)
    after 20000 ->
        Got
    end.
