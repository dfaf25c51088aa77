# One command traces several nodes. Aggregations of three nodes equal those of one node that saw all events, for every
# aggregating function. `node` tells the nodes apart. Stacks and names of processes are merged although each node
# numbers them by itself. Records come in order of time with the name of their node. What BEGIN, END and tick do with
# aggregations is done once. exit() on one node ends all. --cluster finds the nodes that a node knows.
. "$srcdir/lib.sh"

cat >cw.erl <<'END'
-module(cw).
-export([run/1, v/2, f/0, g/0, named/0]).
run(L) -> [v(K, V) || {K, V} <- L], done.
v(_, V) -> V.
f() -> ok.
g() -> ok.
named() ->
    Me = self(),
    spawn(fun() -> register(cw_server, self()), [v(x, I) || I <- [1, 2, 3]], Me ! done, timer:sleep(infinity) end),
    receive done -> done end.
END
erlc cw.erl || exit 1
node_start -pa . -s cw module_info; A=$NODE; PIDA=$NODE_PID
node_start -pa . -s cw module_info; B=$NODE; PIDB=$NODE_PID
node_start -pa . -s cw module_info -hidden; C=$NODE; PIDC=$NODE_PID

on() {
	NODE=$1
	node_eval "$2" >/dev/null
}

# start OUT -N … arguments: returns when all nodes trace
start() {
	out=$1
	shift
	: >"$out"
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" -x switchrate=20ms -x aggrate=20ms -x statusrate=50ms "$@" \
		-n 'tick-20ms { printf("tracing %s\n", node); }' >"$out" 2>"$out.err" &
	TRACE_PID=$!
	for n in $A $B $C; do
		case " $* " in *" $n "*) ;; *) continue ;; esac
		wait=0
		until grep -q "tracing $n@" "$out" || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
			sleep 0.05
			wait=$((wait + 1))
		done
	done
}

stop() {
	kill -TERM $TRACE_PID 2>/dev/null
	wait $TRACE_PID
	status=$?
	grep -v -e tracing -e '^$' "$out" | sed -e "s/$A@[A-Za-z0-9.-]*/A/; s/$B@[A-Za-z0-9.-]*/B/; s/$C@[A-Za-z0-9.-]*/C/" >"$out.txt"
	grep -v -e ' matched ' -e ' does not answer; the others go on$' -e ' answers again$' "$out.err"
}

# -- every aggregating function
cat >all.d <<'END'
erlang*:cw:v/2:entry /is_integer(args[1])/ {
	this->v = (int64_t)args[1];
	@n[text(args[0])] = count();
	@sum[text(args[0])] = sum(this->v);
	@avg[text(args[0])] = avg(this->v);
	@dev[text(args[0])] = stddev(this->v);
	@min[text(args[0])] = min(this->v);
	@max[text(args[0])] = max(this->v);
	@q[text(args[0])] = quantize(this->v);
	@l[text(args[0])] = lquantize(this->v, -50, 100, 10);
	@ll[text(args[0])] = llquantize(this->v, 10, 0, 3, 20);
	@all = quantize(this->v);
}
END
one='lists:seq(1, 50)'
two='[-7, 1000000, 3, 3, 3]'
three='[I * I || I <- lists:seq(-30, 30)]'
values() {
	echo "cw:run([{a, V} || V <- $1] ++ [{b, V * 2} || V <- $1])."
}
start merged -N "$A" -N "$B" -N "$C" -qs all.d
on "$A" "$(values "$one")"
on "$B" "$(values "$two")"
on "$C" "$(values "$three") "
stop
start alone -N "$A" -qs all.d
on "$A" "$(values "$one ++ $two ++ $three")"
stop
cmp merged.txt alone.txt && grep -c . merged.txt | sed 's/^[1-9][0-9]*$/merged as by one node/'
grep -q '^  a  *116$' merged.txt && echo 'all were counted'

# -- node as a key; stacks; names. A sees f before g, B sees g before f.
start split -N "$A" -N "$B" -q -n '
	erlang*:cw:v/2:entry { @n[node] = count(); }
	erlang*:cw:[fg]/0:entry { @s[stack(1)] = count(); @u[ustack(1)] = count(); }
	erlang*:cw:v/2:entry /args[0] == "x"/ { @who[name(eproc)] = sum((int64_t)args[1]); }'
on "$A" 'cw:f(), cw:g(), cw:g(), cw:run([{k, 1}, {k, 2}]), cw:named().'
on "$B" 'spawn(fun() -> ok end), cw:g(), cw:f(), cw:f(), cw:f(), cw:run([{k, 1}]), cw:named().'
stop
sed -e 's/  */ /g; s/^ //' split.txt

# -- records: in order of time, with their node
start records -N "$A" -N "$B" -N "$C" -q -n 'erlang*:cw:v/2:entry { printf("%d ", (int)args[1]); printf("of %s\n", text(args[0])); }'
for i in 1 2; do
	on "$A" "cw:v(x, 1$i)."
	on "$C" "cw:v(x, 2$i)."
	on "$B" "cw:v(x, 3$i)."
done
stop
cat records.txt
start json -N "$A" -N "$B" --json -n 'erlang*:cw:v/2:entry { trace((int)args[1]); }'
on "$B" 'cw:v(x, 5).'
on "$A" 'cw:v(x, 6).'
stop
sed -n 's/.*"node":"\([^"]*\)".*"name":"entry".*"values":\[\([0-9]*\)\].*/\1 \2/p' json.txt
start columns -N "$A" -N "$B" -n 'erlang*:cw:v/2:entry { trace((int)args[1]); }'
on "$B" 'cw:v(x, 7).'
stop
sed -n 's/^\(B\)  *[0-9]*  *[0-9]*  *\(v.2:entry\)  *\(7\)/\1 \2 \3/p; s/^\(NODE\) .*/\1/p' columns.txt

# -- BEGIN, END, tick: aggregations once, the rest on every node; exit() anywhere ends all
start once -N "$A" -N "$B" -N "$C" -q -n '
	BEGIN { printf("begin\n"); }
	erlang*:cw:v/2:entry { @n = sum((int)args[1]); }
	erlang*:cw:f/0:entry { exit(7); }
	END { printf("sum is"); printa(" %@d\n", @n); } END { printf("end\n"); }'
on "$A" 'cw:v(x, 1).'
on "$B" 'cw:v(x, 10).'
on "$C" 'cw:v(x, 100).'
on "$B" 'cw:f().'
wait $TRACE_PID
stop
echo "status $status"
sort once.txt

# -- --cluster: erl_call, which has just gone, is a hidden node too
on "$A" "net_adm:ping(list_to_atom(\"$B\" ++ lists:dropwhile(fun(X) -> X =/= \$@ end, atom_to_list(node())))),
	net_adm:ping(list_to_atom(\"$C\" ++ lists:dropwhile(fun(X) -> X =/= \$@ end, atom_to_list(node()))))."
found() {
	"$ERLTRACE" --cookie "$COOKIE" "$@" -qn 'BEGIN { printf("found\n"); exit(0); }' 2>&1 |
		sed -e "s/$A@[A-Za-z0-9.-]*/A/; s/$B@[A-Za-z0-9.-]*/B/; s/$C@[A-Za-z0-9.-]*/C/" | sort | tr -s '\n ' ' '
	echo
}
found --cluster "$A"
wait=0
until found --cluster "$A" --hidden | grep -q 'A: found B: found C: found' || [ $wait -gt 100 ]; do
	sleep 0.1
	wait=$((wait + 1))
done
found --cluster "$A" --hidden
found --cluster "$B" -N "$C"
found --cluster "$C"
found --cluster "$A" -N "$A"
found --cluster "$A" --cluster "$B"
found -N "$A" --hidden
found --cluster "$A" -p 1
found --cluster nosuch | sed 's,@[^:]*: epmd on .*,,'

NODE=$A NODE_PID=$PIDA; clean_node
NODE=$B NODE_PID=$PIDB; clean_node
NODE=$C NODE_PID=$PIDC; clean_node
