/*
 * A dynvarsize that is too small for anything holds some variables all the same.
 *
 * @@nostderr
 */
#pragma D option quiet
#pragma D option dynvarsize=12

BEGIN
{
	self->w = 1234;
	a["key", 1] = 5;
	s["key"] = "text";
	printf("%d %d %s\n", self->w, a["key", 1], s["key"]);
	exit(0);
}
