/*
 * With the option defaultargs unused arguments are no error.
 */
/* @@args: a b c */
#pragma D option quiet

#pragma D option defaultargs

BEGIN
{
	printf("%s\n", $$1);
	exit(0);
}
