/*
 * White space and line ends separate tokens and mean nothing else.
 */
#pragma D option quiet

BEGIN
{
	x
	=
	1
	;
		printf  (  "%d\n"  ,	x  )
	;
	exit(0);
}
