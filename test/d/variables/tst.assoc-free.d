/*
 * Assigning 0 frees an element; it then reads as 0 or NULL.
 */
#pragma D option quiet

BEGIN
{
	a["k"] = 5;
	a["k"] = 0;
	b["k"] = "text";
	b["k"] = 0;
	printf("%d %d\n", a["k"], b["k"] == NULL);
	exit(0);
}
