# Output that cannot be written is an error.
[ -w /dev/full ] || {
	echo 'no /dev/full' >&2
	exit 67
}
"$ERLTRACE" -qn 'BEGIN { printf("x\n"); exit(0); }' >/dev/full 2>err
echo "status $?"
grep -c 'No space left\|could not be written\|failed to write' err
# a view ends then, too
"$ERLTRACE" --top --interval 100ms --for 15s -qn 'tick-10ms { @n = count(); } END { exit(7); }' >/dev/full 2>err
echo "status $?"
cat err
