# soak.sh SECONDS: random scripts start and end on a node that has every kind of trouble (soak.erl). At the end the node
# works, its numbers are right, and memory, descriptors, threads, atoms, flags, patterns and BPF objects are as before.
# Sourced by tst.soak.sh and run by `make soak`; SEED repeats the same scripts.
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
seconds=$1
SEED=${SEED:-$(date +%s)}
erlc -o . "$srcdir/soak.erl" || exit 1
mkfifo fifo
fuzz_node
fuzz_load
soak_some() { # soak_some SECONDS SEED
	escript "$srcdir/soak.escript" "$ERLTRACE" "$NODE" "$COOKIE" "$1" "${SOAK_LIMIT:-90}" "$2" >soak.out 2>&1 || { cat soak.out; return 1; }
	grep -v ' commands$' soak.out && echo "seed $SEED"
	grep ' commands$' soak.out >&2
}

# BPF objects that there are: programs, maps and links.
"${CC:-cc}" -O1 -o count_bpf "$srcdir/count_bpf.c" || exit 1

# One round first, because a node has some things only after its first script. Then come the numbers to compare with.
[ "$(node_eval "soak:start(\"$PWD/fifo\").")" = ok ] || { echo 'no trouble'; exit 1; }
soak_some 5 "$SEED"
[ "$(node_eval 'soak:stop().')" = 0 ] || echo 'the other tool lost its tracing'
node_eval 'fuzz_load:stop().' >/dev/null
clean_node
node_eval 'soak:measure().' >before
./count_bpf >bpf_before

fuzz_load
[ "$(node_eval "soak:start(\"$PWD/fifo\").")" = ok ] || { echo 'no trouble'; exit 1; }
soak_some "$seconds" $((SEED + 1))
still_works soak
lost=$(node_eval 'soak:stop().')
[ "$lost" = 0 ] || echo "the other tool lost its tracing: $lost"
fuzz_end
clean_node
node_alive && echo alive

# What grows with each script is found because there were many. The allowance is for the heaps of the node's own
# processes and of malloc, and for names: those that the VM makes when something is traced or asked for the first time,
# those of drops that a script had for the first time (ENG_DROPS), and those of the expressions that look at the node here.
# (tst.atoms looks at the names themselves.)
grown='Room = #{memory_mb => 24, resident_mb => 96, processes => 3, ports => 1, tables => 0, atoms => 64, modules => 2, fds => 0, threads => 0},
	Grown = fun(Before) ->
	    After = soak:measure(),
	    %% a module of OTP that is used for the first time brings its atoms
	    Names = maps:get(atoms, Room) + 100 * max(0, proplists:get_value(modules, After) - proplists:get_value(modules, Before)),
	    [{K, B, A} || {{K, B}, {K, A}} <- lists:zip(Before, After), A > B + maps:get(K, Room#{atoms := Names})]
	end,
	Wait = fun Wait(_, 0, Last) -> Last; Wait(B, N, _) -> case Grown(B) of [] -> nothing; L -> timer:sleep(500), Wait(B, N - 1, L) end end,'
all_grown=$(node_eval "$grown Wait($(cat before), 40, []).")
echo "grown: $all_grown"
case $all_grown in
*atoms*) node_eval "[atom_to_list(binary_to_term(<<131, 75, I:24>>)) || I <- lists:seq(proplists:get_value(atoms, $(cat before)), erlang:system_info(atom_count) - 1)]." >&2 ;;
esac
node_eval 'soak:measure().' >&2
if pgrep -x erltrace >/dev/null; then
	echo 'bpf: as before' # somebody else's are among them
elif ./count_bpf | cmp -s - bpf_before; then
	echo 'bpf: as before'
else
	echo "bpf: $(cat bpf_before), then $(./count_bpf)"
fi
