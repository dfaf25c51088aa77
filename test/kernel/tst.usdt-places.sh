# Asserts that a probe with many places has the right arguments at each of them.
. "$srcdir/common.sh"
{
	sed -n '/^#define NOTE/,/endif/p' "$srcdir/usdt.c"
	echo
	awk 'BEGIN {
		for (i = 0; i < 40; i++)
			printf "__attribute__((noinline)) void f%d(long n) { __asm__ volatile(NOTE(\"many\", \"place\", \"0\", \"4@$%d -8@%%0\") : : \"%s\"(n)); }\n", i, i, i % 3 ? "D" : "b"
		print "int main(void) {"
		for (i = 0; i < 40; i++)
			printf "f%d(-%d);\n", i, i
		print "return 0; }"
	}'
} >places.c
${CC:-cc} -O1 -o places places.c || exit 1
$K -n 'many$target:::place { @n = count(); @first = sum(arg0); @second = sum(arg1); @wrong = sum(arg0 + arg1 != 0); }
END { printa("%@d %@d %@d %@d\n", @n, @first, @second, @wrong); }' -c ./places 2>err | awk 'NF'
cat err
