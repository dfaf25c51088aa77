/*
 * ? stands for one character.
 */
#pragma D option quiet

dtrace:::BE?IN
{
	printf("%s\n", probename);
}

BEGIN
{
	exit(0);
}
