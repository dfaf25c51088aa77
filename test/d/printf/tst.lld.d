/*
 * Asserts that %lld, %llu and %llx take a long long.
 */
#pragma D option quiet

BEGIN
{
	printf("%lld %llu %llx\n", (long long)-2, (unsigned long long)3, (long long)255);
	exit(0);
}
