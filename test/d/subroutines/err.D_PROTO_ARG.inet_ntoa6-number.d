/*
 * inet_ntoa6() takes no number.
 */
BEGIN
{
	trace(inet_ntoa6(5));
	exit(0);
}
