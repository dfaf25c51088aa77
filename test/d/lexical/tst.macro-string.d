/*
 * $$1 is the argument as a string, whatever it looks like.
 */
/* @@args: hello 42 "two words" */
#pragma D option quiet

BEGIN
{
	printf("%s|%s|%s|%d\n", $$1, $$2, $$3, strlen($$3));
	exit(0);
}
