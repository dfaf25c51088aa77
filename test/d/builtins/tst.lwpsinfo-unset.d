/*
 * pr_stype is 0, pr_bindpset -1, and the class that of who shares time.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %s\n", curlwpsinfo->pr_stype, curlwpsinfo->pr_bindpset, curlwpsinfo->pr_clname);
	exit(0);
}
