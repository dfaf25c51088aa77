# If the versions of command and agent differ, each tells the other its number, and nothing else is done.
. "$srcdir/lib.sh"
# a node whose release has an older or a newer agent
for info in '#{os_pid => 1, otp_release => <<"25">>}' '#{os_pid => 1, otp_release => <<"25">>, protocol => 99}'; do
	mkdir -p fake
	for m in tracer session patterns sources flags sampler hub; do
		printf -- '-module(erltrace_%s).\n' $m >fake/erltrace_$m.erl
	done
	printf -- '-module(erltrace_agent).\n-export([info/0]).\ninfo() -> %s.\n' "$info" >fake/erltrace_agent.erl
	erlc -o fake fake/*.erl || exit 1
	node_start -pa "$PWD/fake"
	trace -n 'BEGIN { exit(0); }' 2>&1 | sed -e 's/.*\(has another version of erltrace (protocol [0-9]*; this command has\) [0-9]*.*/\1 N/'
done
# a command that is older, or newer: what it would send
node_start -pa "$BUILD/otp/erltrace/ebin"
node_eval "{ok, A} = erltrace_agent:start(self(), \"$BUILD/otp/erltrace/priv/erltrace_tracer\"),
	Ask = fun(R) -> A ! {erltrace, self(), 1, R}, receive {1, {error, T}} -> binary_to_list(T) after 60000 -> late end end,
	[Ask({open, <<>>, {}}), Ask({open, 4, <<>>, {}, <<>>}), Ask({open, #{protocol => 99, object => <<>>, conf => #{}, nonce => <<>>}})]."
