/*
 * strtok() keeps its place from clause to clause.
 */
#pragma D option quiet

BEGIN
{
	printf("%s ", strtok("a b c", " "));
}

BEGIN
{
	printf("%s ", strtok(NULL, " "));
}

BEGIN
{
	printf("%s\n", strtok(NULL, " "));
	exit(0);
}
