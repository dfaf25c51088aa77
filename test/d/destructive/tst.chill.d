/*
 * Asserts that chill() waits for the given time.
 */
#pragma D option quiet

#pragma D option destructive

BEGIN
{
	t = timestamp;
	chill(20000000);
	printf("%s\n", timestamp - t >= 0 ? "ok" : "bad");
	exit(0);
}
