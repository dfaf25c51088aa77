/*
 * Asserts DTrace's columns of integer keys: sorted as unsigned numbers whatever the type, shown as unsigned ones when
 * they have 1 or 2 bytes and as signed ones when they have more.
 */

#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	@c[(char)-1] = count();
	@c[(char)1] = count();
	@s[(short)-1] = count();
	@s[(short)1] = count();
	@i[-1] = count();
	@i[1] = count();
	@u[(uint32_t)-2] = count();
	@l[(int64_t)-1] = count();
	@l[(int64_t)1] = count();
	@x[(uint64_t)-3] = count();
	exit(0);
}
