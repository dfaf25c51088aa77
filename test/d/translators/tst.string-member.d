/*
 * A member of a translator may be a string.
 */
#pragma D option quiet

struct out {
	string o_name;
};
translator struct out < int n > {
	o_name = n ? "some" : "none";
};

BEGIN
{
	printf("%s %s\n", xlate <struct out> (1).o_name, xlate <struct out> (0).o_name);
	exit(0);
}
