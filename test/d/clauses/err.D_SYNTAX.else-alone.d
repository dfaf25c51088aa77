/*
 * else needs an if.
 */
#pragma D option quiet

BEGIN
{
	else {
		exit(0);
	}
}
