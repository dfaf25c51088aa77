# fuzz-smoke.sh RESULTS SECONDS FUZZER…: each target for a few seconds on its seeds.
results=$1
seconds=$2
shift 2
for f; do
	if sh fuzz/run.sh "$f" "$seconds" >"$f.log" 2>&1; then
		echo "1 0 0 fuzz ${f##*/}" >>"$results"
	else
		echo "FAIL fuzz ${f##*/}"
		tail -n 40 "$f.log"
		echo "0 1 0 fuzz ${f##*/}" >>"$results"
	fi
done
exit 0
