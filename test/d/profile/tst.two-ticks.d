/*
 * Asserts that a faster tick fires more often than a slower one.
 */
#pragma D option quiet

tick-5ms
{
	fast++;
}

tick-100ms
{
	printf("%s\n", fast > 3 ? "more" : "less");
	exit(0);
}
