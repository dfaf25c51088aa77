/*
 * The condition of if is a scalar.
 */
#pragma D option quiet

BEGIN
{
	if ("a") {
		exit(0);
	}
}
