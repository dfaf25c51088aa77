/*
 * strtok() takes one word after the other and then gives NULL.
 */
#pragma D option quiet

BEGIN
{
	a = strtok("one,two,,three", ",");
	b = strtok(NULL, ",");
	c = strtok(NULL, ",");
	printf("%s|%s|%s|%d\n", a, b, c, strtok(NULL, ",") == NULL);
	exit(0);
}
