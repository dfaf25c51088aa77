/*
 * Any character of the second string separates, and leading ones are skipped.
 */
#pragma D option quiet

BEGIN
{
	a = strtok(" ;a; b", "; ");
	b = strtok(NULL, "; ");
	printf("%s|%s|%d\n", a, b, strtok(NULL, "; ") == NULL);
	exit(0);
}
