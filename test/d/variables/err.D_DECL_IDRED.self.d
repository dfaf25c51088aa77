/*
 * A thread-local variable has one declaration.
 */
#pragma D option quiet

self int x;
self string x;
BEGIN
{
	exit(0);
}
