/*
 * The second argument of inet_ntoa6() is a constant.
 */
BEGIN
{
	i = 1;
	trace(inet_ntoa6((void *)alloca(16), i));
	exit(0);
}
