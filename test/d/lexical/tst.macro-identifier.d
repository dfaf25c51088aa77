/*
 * $1 of a word is an identifier.
 */
/* @@args: probename myvar */
#pragma D option quiet

BEGIN
{
	$2 = 7;
	printf("%s %d\n", $1, myvar);
	exit(0);
}
