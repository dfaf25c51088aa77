# A node that waits for the folder that it is lent takes it only from who has asked it to wait: a socket of somebody else
# cannot send to it, and what has another text than the command told is closed.
. "$srcdir/lib.sh"
[ "$(id -u)" = 0 ] || { echo "needs root" >&2; exit 67; }
${CC:-cc} -O1 -o intrude "$srcdir/intrude.c" || exit
mkdir folder
node_start -pa "$BUILD/otp/erltrace/ebin"
open() { ls -l "/proc/$NODE_PID/fd" | sed -n "s|.*-> $PWD/|open: |p; s|.*-> /\$|open: /|p"; }
socket=$(node_eval '{ok, Pid, Socket} = erltrace_agent:borrow(), register(borrower, Pid), Socket.')
./intrude "$NODE_PID" "$socket" folder
node_eval 'borrower ! {take, self(), <<"right">>}, receive {_, {ok, Fd}} -> put(fd, Fd) end, {ok, Link} = file:read_link("/proc/self/fd/" ++ integer_to_list(Fd)), filename:basename(Link).'
open | grep -v '\.log$'
ls -l "/proc/$NODE_PID/fd" | grep -q "/$socket -> socket" && echo 'the socket is open'
# nobody comes: it does not wait for ever
node_eval '{ok, Pid, _} = erltrace_agent:borrow(), Ref = erlang:monitor(process, Pid), receive {_, Ref, _, _, Why} -> Why after 30000 -> waits end.'
