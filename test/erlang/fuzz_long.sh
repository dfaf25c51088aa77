# fuzz_long.sh [MINUTES [FOLDER]]: the fuzz tests for a long time (10 minutes) against a node whose erltrace is built
# with the address and undefined-behaviour sanitizers, in FOLDER (a temporary one). Ends with 0 if the node survived,
# nothing was found, and the numbers were right afterwards.
srcdir=$(cd "$(dirname "$0")" && pwd)
seconds=$((${1:-10} * 60 / 3))
folder=${2:-$(mktemp -d)}
mkdir -p "$folder/scratch"
folder=$(cd "$folder" && pwd)
BUILD=$folder/build
ERLTRACE=$BUILD/erltrace
flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
make -s -C "$srcdir/../.." -j"$(nproc)" BUILD="$BUILD" CFLAGS="$flags -ffunction-sections -fdata-sections" all || exit
cd "$folder/scratch" || exit
FUZZ_LIMIT=120 # seconds that a command has to end: sanitizers are slow, and scripts about all functions wait for each other
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
runtime=$(gcc -print-file-name=libasan.so)
erl() {
	ASAN_OPTIONS=$ASAN_OPTIONS:abort_on_error=1:log_path=$folder/report UBSAN_OPTIONS=print_stacktrace=1:log_path=$folder/report \
		LD_PRELOAD=$runtime exec erl "$@"
}
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
{
	fuzz_node -pa "$BUILD/otp/erltrace/ebin"
	fuzz_compile
	fuzz_load
	fuzz_scripts "$seconds"
	fuzz_api "$seconds"
	fuzz_agent "$seconds"
	fuzz_end
} >result 2>&1
cat result
cat "$folder"/report* 2>/dev/null && exit 1
printf '%s\n' 'scripts: the node works on' 'api: the node works on' 'agent: the node works on' 20000 | cmp - result
