/*
 * The scoping operator is not for the names of types that are defined.
 */
#pragma D option quiet

struct mod`s {
	int s_a;
};
BEGIN
{
	exit(0);
}
