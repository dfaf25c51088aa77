# soak.sh SECONDS: random scripts start and end on a node that has every kind of trouble (soak.erl). At the end the node
# works, its numbers are right, and memory, descriptors, threads, atoms, flags, patterns and BPF objects are as before.
# Sourced by tst.soak.sh and run by `make soak`; SEED repeats the same scripts.
. "$srcdir/lib.sh"
needs_crypto
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

"${CC:-cc}" -O1 -o list_bpf "$srcdir/list_bpf.c" || exit 1

# One round first, because a node has some things only after its first script. Then come the numbers to compare with.
[ "$(node_eval "soak:start(\"$PWD/fifo\").")" = ok ] || { echo 'no trouble'; exit 1; }
soak_some 5 "$SEED"
[ "$(node_eval 'soak:stop().')" = 0 ] || echo 'the other tool lost its tracing'
node_eval 'fuzz_load:stop().' >/dev/null
clean_node attaching
node_eval "soak:grown($(node_eval 'soak:measure().'))." >/dev/null # what looking brings is there before
node_eval 'soak:measure().' >before
./list_bpf | sort >bpf_before

fuzz_load
[ "$(node_eval "soak:start(\"$PWD/fifo\").")" = ok ] || { echo 'no trouble'; exit 1; }
soak_some "$seconds" $((SEED + 1))
still_works soak
lost=$(node_eval 'soak:stop().')
[ "$lost" = 0 ] || echo "the other tool lost its tracing: $lost"
fuzz_end
clean_node attaching
node_alive && echo alive

all_grown=$(node_eval "soak:grown($(cat before)).")
echo "grown: $all_grown"
case $all_grown in
*atoms*) node_eval "soak:new_atoms(proplists:get_value(atoms, $(cat before)))." >&2 ;;
esac
node_eval 'soak:measure().' >&2
# The kernel frees a little later. Somebody else's command has some of its own.
bpf_wait=0
until ./list_bpf | sort | comm -13 bpf_before - >bpf_new && [ ! -s bpf_new ] || [ $bpf_wait -ge 50 ]; do
	sleep 0.1
	bpf_wait=$((bpf_wait + 1))
done
if [ ! -s bpf_new ] || pgrep -x erltrace >/dev/null; then
	echo 'bpf: nothing new'
else
	echo "bpf: $(paste -sd ' ' bpf_new)"
fi
