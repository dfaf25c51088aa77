# scripts/ets.d counts calls on ETS tables by name: named tables, and tables that only have the name that they were made
# with. Numbers are exact. A select that takes several slices of its process is one call, and takes as long as all of
# them. name() gives the names of tables and of ports.
# @@timeout: 120
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	exit 1
}
run() {
	got=$(node_eval "$1")
	[ "$got" = ok ] || fail "$1 gives $got"
}
node_start -pa "$BUILD/test/erlang"
run 'insides:tables().'
trace_start out -x maxoverhead=100 -s "$srcdir/../../scripts/ets.d"
run 'insides:table(1000).'
trace_stop
# A VM without the JIT traces a call once more if the process is left there at the end of its slice (erlang:trace/3 shows the same).
flavor=$(node_eval 'erlang:system_info(emu_flavor).')
row() { # row TABLE FUNCTION CALLS
	more=0
	[ "$flavor" = jit ] || more=$(($3 / 1000))
	awk -v t="$1" -v f="$2" -v least="$3" -v more=$more '$1 == t && $2 == f { n = $3; if ($6 < $5) bad = 1 }
		END { exit bad || n < least || n > least + more }' out.txt || fail "$1 $2 is not $3: $(grep -F "$2" out.txt)"
}
row orders insert/2 1000
row orders lookup/2 2000
row orders delete/2 1000
row basket insert/2 205000
row basket select/2 4
row no_such_table lookup/2 1
# 200,000 objects take longer than a slice of 4,000 reductions; more than a million ns
[ "$(awk '$1 == "basket" && $2 == "select/2" { print $6 }' out.txt)" -gt 1000000 ] || fail "the long select: $(grep select out.txt)"

trace_start out -s "$srcdir/../../scripts/ets.d" 0 orders
run 'insides:table(100).'
trace_stop
row orders lookup/2 200
grep -q basket out.txt && fail "another table: $(cat out.txt)"

# names beside tables and ports in keys, and instead of them
run 'persistent_term:put(port, hd([P || P <- erlang:ports(), {name, "tcp_inet"} =:= erlang:port_info(P, name)])), ok.'
trace_start names -n 'erlang*:ets:insert/2:entry { @[args[0]] = count(); } erlang*:erlang:port_info/2:entry { @port[name(args[0])] = count(); }
	erlang*:erlang:ref_to_list/1:entry { @ref[args[0]] = count(); }'
run 'ets:insert(persistent_term:get(insides), {a, b}), ets:insert(orders, {a, b}), erlang:port_info(persistent_term:get(port), id), erlang:ref_to_list(make_ref()), timer:sleep(1500), ok.'
trace_stop
grep -Eq '^#Ref<[0-9.]+> basket 1$' names.txt || fail "no name of a table: $(cat names.txt)"
grep -Eq '^orders 1$' names.txt || fail "no named table: $(cat names.txt)"
grep -Eq '^tcp (at )?[][0-9a-f.:]+:[0-9]+ 1$' names.txt || fail "no name of a port: $(cat names.txt)"
grep -Eq '^#Ref<[0-9.]+> 1$' names.txt || fail "a reference that is no table: $(cat names.txt)"
[ "$(clean_node)" = clean ] || fail 'not clean'
exit 0
