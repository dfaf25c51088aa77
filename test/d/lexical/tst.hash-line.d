/*
 * Line markers as a preprocessor writes them are accepted.
 */
#pragma D option quiet

# 1 "made-up.d"
# 10 "other.d" 1
# 2 "made-up.d" 2
#line 40
#line 41 "again.d"
BEGIN
{
	printf("ran\n");
	exit(0);
}
