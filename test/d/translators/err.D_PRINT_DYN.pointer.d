/*
 * A translation has no address that could be printed.
 */
/* @@stderr: write * before it */
#pragma D option quiet

struct in { int a; };
struct out { int b; };
translator struct out < struct in *p > { b = p->a; };

BEGIN
{
	this->p = (struct in *)alloca(sizeof (struct in));
	print(xlate <struct out *>(this->p));
}
