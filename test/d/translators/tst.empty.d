/*
 * A translator may define no member at all.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
};
BEGIN
{
	printf("ok\n");
	exit(0);
}
