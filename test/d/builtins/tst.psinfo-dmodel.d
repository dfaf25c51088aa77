/*
 * pr_dmodel is one of PR_MODEL_ILP32 and PR_MODEL_LP64.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", PR_MODEL_ILP32, PR_MODEL_LP64, curpsinfo->pr_dmodel == PR_MODEL_LP64);
	exit(0);
}
