# Asserts that a ring buffer keeps the last records, in order and without a gap.

cat >a.d <<'END'
int n;

tick-1ms
/n < 400/
{
	printf("%d\n", n);
	n++;
}

tick-1ms
/n == 400/
{
	exit(0);
}
END
$ERLTRACE -q -xbufpolicy=ring -xbufsize=2k -s a.d >out 2>err || exit 1
awk 'NF { if (n && $1 != last + 1) bad = 1; last = $1; n++ } END { exit !(n > 5 && n < 400 && last == 399 && !bad) }' out && echo ok
