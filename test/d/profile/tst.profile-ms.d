/*
 * Asserts that profile-Nms fires.
 */
#pragma D option quiet

profile-10ms
{
	n++;
}

profile-10ms
/n > 1/
{
	exit(0);
}
