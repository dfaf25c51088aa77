# demo.sh ERLTRACE [SECONDS]: a few seconds of live tracing with what every machine has, its timers. Ends by itself.
erltrace=$1
seconds=${2:-4}
cd "$(dirname "$0")/.." || exit
show() {
	printf '\n$ %s\n' "$*"
}
echo 'erltrace: D from source to output.'

show "erltrace -n 'BEGIN { trace(\"hello\"); exit(0); }'"
"$erltrace" -n 'BEGIN { trace("hello"); exit(0); }' || exit

show "erltrace -l -P profile | head -4"
"$erltrace" -l -P profile | head -n 4

show "erltrace -qs scripts/wakeups.d $seconds"
"$erltrace" -qs scripts/wakeups.d "$seconds" || exit

echo
echo "Next: README.md, 'erltrace --help', and the scripts in scripts/."
