/*
 * #ident and #pragma ident are ignored.
 */
#pragma D option quiet

#ident "any thing"
#pragma ident "any thing"
BEGIN
{
	printf("ran\n");
	exit(0);
}
