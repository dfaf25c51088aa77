/*
 * [ ] stands for one of its characters, [! ] for any other.
 */
#pragma D option quiet

dtrace:::[A-C]EGIN
{
	printf("a");
}

dtrace:::[!E]EGIN
{
	printf("b");
}

dtrace:::[BX]EGIN
{
	printf("c\n");
	exit(0);
}
