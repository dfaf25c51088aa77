#!/usr/bin/env -S erltrace -Cs
/* A script's interpreter line does not go through the preprocessor, and the lines after it keep their numbers. */
/* @@opts: -C */
#pragma D option quiet
#define SAY(x) printf("%s %d\n", x, __LINE__)
BEGIN
{
	SAY("line");
	exit(0);
}
