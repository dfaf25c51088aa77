/*
 * Asserts that floating values can be kept and shown, though D does not compute with them.
 */

#pragma D option quiet

union bits {
	float f;
	uint32_t w;
	double d;
	uint64_t x;
} u;
float f;
double d;

BEGIN
{
	printf("%f %g\n", f, d);
	u.w = 0x3fc00000;
	f = u.f;
	this->f = u.f;
	self->f = u.f;
	a["k"] = u.f;
	printf("%f %.2e %g %g\n", f, this->f, self->f, a["k"]);
	u.x = 0xc004000000000000;
	d = u.d;
	printf("%8.3f|%G\n", d, d);
	exit(0);
}
