/*
 * Asserts that a name that no probe of the provider has is answered with those that there are.
 *
 * @@stderr: its names are: BEGIN, END, ERROR
 */

dtrace:::start
{
}
