# Asserts that a probe with many places has the right arguments at each of them.
. "$srcdir/common.sh"
{
	sed -n '/^#define NOTE/,/endif/p' "$srcdir/usdt.c"
	echo
	# two registers: rdi and rbx; on arm64 x0 and another
	awk -v arm64="$([ "$(uname -m)" != aarch64 ] || echo 1)" 'BEGIN {
		for (i = 0; i < 40; i++) {
			if (arm64)
				printf "__attribute__((noinline)) void f%d(long n) { register long r __asm__(\"%s\") = n; ", i, i % 3 ? "x0" : "x9"
			else
				printf "__attribute__((noinline)) void f%d(long n) { long r = n; ", i
			printf "__asm__ volatile(NOTE(\"many\", \"place\", \"0\", \"4@%s%d -8@%%0\") : : \"%s\"(r)); }\n", arm64 ? "" : "$", i, arm64 ? "r" : i % 3 ? "D" : "b"
		}
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
