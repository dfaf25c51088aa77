/*
 * Aggregations inside if count only when it runs.
 */
#pragma D option quiet

BEGIN
{
	x = 3;
	if (x > 2) {
		@["big"] = count();
	} else {
		@["small"] = count();
	}
	exit(0);
}

END
{
	printa("%s %@d\n", @);
}
