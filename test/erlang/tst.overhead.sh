# The overhead guard measures what the node feels: the VM's own part, all kinds of events, rare events that take long,
# and timers. Its message says what cost most and how to trace less. Scripts that cost little continue.
# @@timeout: 300
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start

# guarded NAME LIMIT ARGUMENTS…: it is ended by the guard, within two minutes
guarded() {
	what=$1 limit=$2
	shift 2
	timeout 120 "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q $limit "$@" >out 2>err
	echo "$what: status $?, $(sed -n -e 's/.*\(more than maxoverhead allows\).*/\1/p' err | head -1)"
	grep -q 'more than maxoverhead allows' err || cat err >&2
}

# All functions, with the options that everybody has.
node_eval 'load:start(2).'
guarded 'all functions' '' -n 'erlang*:::function-entry { @ = count(); } END { trunc(@); }'
sed -n -e 's/.*took [0-9]*% of a scheduler/took N% of a scheduler/; s/erlang[0-9]*:::/erlang:::/g; s/of [^ ]* ([0-9]*%)/of FUNCTION (N%)/g' -e '/^took/s/\(, erlang:::function-entry of FUNCTION (N%)\)*\. To/. To/p' err

# Calls and returns in turn: the dear ones are among those that are measured.
for i in 1 2 3; do
	guarded "calls of calls and returns" '-x maxoverhead=5' -n 'erlang*:load:up/1:entry {
		this->s = strjoin(probefunc, probefunc); this->t = strjoin(this->s, this->s); @a[this->s, this->t] = count(); @b[strjoin(this->t, this->t)] = count(); }
		erlang*:load:up/1:return { } END { trunc(@a); trunc(@b); }'
done
node_eval 'load:stop().'

# Of many functions that cost the same none is said to cost much.
{
	echo '-module(many). -export([go/0]).'
	for i in $(seq 1 300); do echo "f$i(X) -> X + $i."; done
	echo 'go() -> '
	for i in $(seq 1 300); do echo "f$i($i),"; done
	echo 'go().'
} >many.erl
erlc -o . many.erl || exit 1
node_eval 'register(many, spawn(many, go, [])), ok.'
guarded 'many functions' '-x maxoverhead=5' -x counters=off -n 'erlang*:many:f*:entry { @ = count(); } END { trunc(@); }'
grep -o '([0-9]*%)' err | tr -d '(%)' | awk '$1 > 5 { print "one takes " $1 "%" } END { print (NR ? "told" : "not told") }'
node_eval 'exit(whereis(many), kill).'

# Ten long events a second, and nothing else.
LONG='this->x = strjoin(probefunc, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");'
i=0
while [ $i -lt 10 ]; do LONG="$LONG this->x = strjoin(this->x, this->x);"; i=$((i + 1)); done
while [ $i -lt 60 ]; do LONG="$LONG n = rindex(this->x, \"baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\") + rindex(this->x, \"caaaaaaaaaaaaaaaaaaaaaaaaa\") + index(this->x, \"aab\");"; i=$((i + 1)); done
node_eval 'register(rare, spawn(fun F() -> load:call(1), receive after 100 -> F() end end)), ok.'
guarded 'long events' '-x maxoverhead=1' -x strsize=64k -x scratchsize=4m -x maxfire=500ms -n "erlang*:load:call/1:entry { $LONG }"
node_eval 'exit(whereis(rare), kill).'

# Timers, with nothing else to do.
guarded 'timers' '-x maxoverhead=1' -x strsize=64k -x scratchsize=4m -x maxfire=500ms -n "tick-50ms { $LONG }"
grep -c 'What cost most: profile:::tick-50ms (100%). To trace less, let the timer fire less often, or do less' err

# What costs little goes on, and -v says how much it is.
node_eval 'register(rare, spawn(fun F() -> [load:call(N) || N <- lists:seq(1, 10)], receive after 10 -> F() end end)), ok.'
timeout 120 "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -v -n 'erlang*:load:up/1:entry { @ = count(); } tick-7s { exit(0); }' >out 2>err
echo "status $?, $(grep -q 'tracing takes about [0-9.]*% of a scheduler' err && echo estimated), $(grep -c ended err) ends"
node_eval 'exit(whereis(rare), kill).'
echo "after: $(clean_node)"
