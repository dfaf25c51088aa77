# -p finds the port of a node however it was told to it: by -erl_epmd_port or its newer form in kernel's configuration, by
# inet_dist_listen_min, by $ERL_DIST_PORT with the numbers in a file, or by nobody. There is no epmd: none was started, or it
# has died. Other sockets of the node, of which one comes first and never answers, do not matter.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
own_home
# epmd of that network, which the test ends
WITH="$UP; export ERL_EPMD_PORT=7770; $EPMD -port 7770 -relaxed_command_check >/dev/null 2>&1 & echo \$! >epmd.pid
	until $EPMD -port 7770 -names >/dev/null 2>&1; do sleep 0.05; done"
ALL='-n -m -u --mount-proc'
OTHER='{ok, _} = gen_tcp:listen(1024, [{ip, {127, 0, 0, 1}}]), {ok, _} = gen_tcp:listen(0, []).'
epmd_dies() {
	kill "$(cat epmd.pid)" || echo 'no epmd to end'
	until ! kill -0 "$(cat epmd.pid)" 2>/dev/null; do sleep 0.05; done
}

echo '-- -start_epmd false and -erl_epmd_port'
inside "$ALL" "$UP" -sname box -setcookie said -start_epmd false -erl_epmd_port 7771 -eval "$OTHER"
into
echo '-- the same in a file of arguments, as vm.args of a release'
printf '%s\n' '-sname box' '-setcookie said' '## no epmd' '-start_epmd false' '-erl_epmd_port 7772' >vm.args
inside "$ALL" "$UP" -args_file "$PWD/vm.args" -eval "$OTHER"
into
echo '-- the same in ERL_FLAGS, with ERL_DIST_PORT'
inside "$ALL" "$UP; export ERL_DIST_PORT=7773 ERL_FLAGS='-start_epmd false -erl_epmd_port 7773'" -sname box -setcookie said -eval "$OTHER"
into
echo '-- kernel erl_epmd_node_listen_port, of OTP 27 and later'
if [ "$("${ERL:-erl}" -noinput -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')" -ge 27 ]; then
	inside "$ALL" "$UP" -sname box -setcookie said -start_epmd false -kernel erl_epmd_node_listen_port 7774 -eval "$OTHER"
	into
else
	echo traced
fi
echo '-- inet_dist_listen_min; epmd, which the node did not start, has died'
inside "$ALL" "$WITH" -sname box -setcookie said -start_epmd false -kernel inet_dist_listen_min 7775 inet_dist_listen_max 7779 -eval "$OTHER"
epmd_dies
into
echo '-- ERL_DIST_PORT, and the number in sys.config; epmd has died'
echo '[{kernel, [{inet_dist_listen_min, 7780}, {inet_dist_listen_max, 7780}]}].' >sys.config
inside "$ALL" "$WITH; export ERL_DIST_PORT=7780" -config "$PWD/sys" -sname box -setcookie said -start_epmd false -eval "$OTHER"
epmd_dies
into
echo '-- nobody tells the port; epmd has died'
inside "$ALL" "$WITH" -sname box -setcookie said -start_epmd false -eval "$OTHER"
epmd_dies
into
echo '-- nobody tells the port; epmd knows it'
inside "$ALL" "$WITH" -sname box -setcookie said -start_epmd false -eval "$OTHER"
into
kill "$(cat epmd.pid)"
