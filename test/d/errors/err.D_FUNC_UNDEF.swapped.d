/*
 * Asserts that two letters that changed places are seen before one that is too many: printf, not print.
 *
 * @@stderr: did you mean 'printf'?
 */

BEGIN
{
	prinft("x");
}
