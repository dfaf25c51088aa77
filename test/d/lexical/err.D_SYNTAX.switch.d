/*
 * D has no switch.
 */
#pragma D option quiet

BEGIN
{
	switch (pid) {
	case 1:
		trace(1);
	}
}
