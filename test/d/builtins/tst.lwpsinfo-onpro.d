/*
 * pr_onpro is the number of a CPU, pr_bindpro too or -1. (That it is the right one: test/kernel/tst.psinfo.sh.)
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", curlwpsinfo->pr_onpro >= 0 && curlwpsinfo->pr_onpro < 65536 && curlwpsinfo->pr_bindpro >= -1);
	exit(0);
}
