/*
 * Asserts that the message about too many keys shows the place in the script.
 *
 * @@stderr: line 10: a has 9 keys
 * @@stderr: err.D_KEY_TYPE.place.d:10:2:
 */

BEGIN
{
	a[1, 2, 3, 4, 5, 6, 7, 8, 9] = 1;
}
