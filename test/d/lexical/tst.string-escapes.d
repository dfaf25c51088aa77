/*
 * String literals know C's escapes, octal and hexadecimal ones too.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", "a\tb\\c\"d'e");
	printf("%s\n", "\x41\102\x43");
	printf("%d\n", strlen("\n\r\f"));
	exit(0);
}
