/*
 * Asserts that a translator without members gives a struct of zeroes.
 */

#pragma D option quiet

struct in {
	int a;
};
struct out {
	int x;
	char c;
};

translator struct out < struct in i >
{
};

struct in in;
struct out out;

BEGIN
{
	in.a = 1;
	out.x = 2;
	out.c = 'c';
	out = xlate < struct out > (in);
	printf("%d %d", out.x, out.c);
	exit(0);
}
