/*
 * An associative array by strings compares text.
 */
#pragma D option quiet

BEGIN
{
	a["x"] = 1;
	a[strjoin("x", "y")] = 2;
	printf("%d %d %d\n", a["x"], a["xy"], a["y"]);
	exit(0);
}
