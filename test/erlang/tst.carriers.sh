# carriers-1s tells how much memory each allocator holds in carriers and blocks. 4,000 binaries of 16,000 bytes are as
# many bytes in blocks of binary_alloc. When all but one in ten are gone, the blocks are too, but most carriers stay:
# scripts/carriers.d shows that as idle. The probe gives the sums of what erlang:system_info/1 tells.
# @@timeout: 240
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	exit 1
}
run() {
	got=$(node_eval "$1")
	[ "$got" = ok ] || fail "$1 gives $got"
}
# wait_binaries CONDITION: until a row of binary_alloc in ./out meets it, with carriers, blocks and idle as c, b and i
wait_binaries() {
	n=0
	until awk '$1 == "binary_alloc" { c = $2; b = $3; i = $4; if ('"$1"') found = 1 } END { exit !found }' out; do
		n=$((n + 1))
		[ $n -lt 900 ] || fail "never $1: $(grep -v '^tracing' out | tail -40)"
		sleep 0.1
	done
}
node_start +S 2
trace_start out -s "$srcdir/../../scripts/carriers.d"
wait_binaries 'b < 8000000 && c >= b'
run 'Hold = fun Hold(L) -> receive {keep, N, From} -> Kept = [B || {K, B} <- L, K rem N =:= 0], erlang:garbage_collect(), From ! ok, Hold(Kept) end end,
	register(holder, spawn(fun() -> Hold([{K, binary:copy(<<K:64>>, 2000)} || K <- lists:seq(1, 4000)]) end)), ok.'
wait_binaries 'b >= 64000000 && b < 72000000 && c >= b'
run 'holder ! {keep, 10, self()}, receive ok -> ok end, [begin erlang:garbage_collect(P) end || P <- processes()], ok.'
# some carriers go, and what is left in the others is idle
n=0
until awk '$1 == "binary_alloc" { b = $3; i = $4 } END { exit !(b >= 6400000 && b < 20000000 && i > 0) }' out; do
	n=$((n + 1))
	[ $n -lt 900 ] || fail "blocks do not shrink: $(grep -v '^tracing' out | tail -40)"
	sleep 0.1
done
trace_stop

# a sample against the VM's own numbers, of an allocator that does not change while nobody loads code
trace_start sums -n 'erlang*:::carriers-1s /copyinstr(arg0) == "literal_alloc"/ { printf("literal %d %d %d %d\n", args[1], args[2], args[3], args[4]); }'
n=0
until grep -q '^literal' sums; do
	n=$((n + 1))
	[ $n -lt 900 ] || fail 'no sample of literal_alloc'
	sleep 0.1
done
# (The VM frees literals of modules that have gone when it comes to it, so a later sample may be the one.)
n=0
until own=$(node_eval 'Rows = erlang:system_info({allocator_sizes, literal_alloc}),
	Sum = fun(Ks) -> lists:sum([element(2, lists:keyfind(carriers_size, 1, V)) || {instance, _, L} <- Rows, {K, V} <- L, lists:member(K, Ks)]) end,
	Blocks = lists:sum([element(2, S) || {instance, _, L} <- Rows, {_, V} <- L, {blocks, Ts} <- V, {_, Vs} <- Ts, S <- Vs, element(1, S) =:= size]),
	list_to_atom(lists:flatten(io_lib:format("literal ~b ~b ~b ~b", [Sum([mbcs, sbcs, mbcs_pool]), Blocks, Sum([sbcs]), Sum([mbcs_pool])]))).' | tr -d "'") && grep -Fqx "$own" sums; do
	n=$((n + 1))
	[ $n -lt 100 ] || fail "the VM says $own, the probe: $(grep '^literal' sums)"
	sleep 0.3
done
trace_stop
[ "$(clean_node)" = clean ] || fail 'not clean'

# a VM without most of its allocators says so
node_start +Mea min
trace -q -n 'erlang*:::carriers-1s { exit(0); }' >none 2>none.err || fail "the VM with few allocators: $(cat none.err)"
grep -q 'this VM does not tell what these of its allocators hold: .*eheap_alloc' none.err || fail "it does not say so: $(cat none.err)"
exit 0
