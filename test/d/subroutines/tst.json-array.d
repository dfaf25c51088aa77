/*
 * json() gives an element of an array.
 */
#pragma D option quiet

BEGIN
{
	s = "[10, \"x\", [20, 30], {\"k\": 40}]";
	printf("%s %s %s %s\n", json(s, "[0]"), json(s, "[1]"), json(s, "[2][1]"), json(s, "[3].k"));
	exit(0);
}
