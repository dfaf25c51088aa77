# run.sh FUZZER SECONDS: runs one libFuzzer target on its seeds (fuzz/corpus/NAME for fuzz_NAME). New inputs that it
# finds are kept beside the program. A crash leaves its input there too and gives a status other than 0.
fuzzer=$1
seconds=$2
name=${fuzzer##*/fuzz_}
found=$fuzzer.corpus
mkdir -p "$found"
seeds=fuzz/corpus/$name
[ -d "$seeds" ] || seeds=
exec "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 -max_len=8192 -verbosity=1 -print_final_stats=1 \
	-artifact_prefix="$found-crash-" "$found" $seeds
