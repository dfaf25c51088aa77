/*
 * print() shows a whole translation; members that the translator says nothing of are 0.
 */
#pragma D option quiet

struct in { int a; };
struct out { int twice; string name; int rest; };

translator struct out < struct in *p > {
	twice = p->a * 2;
	name = "it";
};

BEGIN
{
	this->p = (struct in *)alloca(sizeof (struct in));
	this->p->a = 5;
	print(*xlate <struct out *>(this->p));
	printf("\n");
	this->p->a = 6;
	print(xlate <struct out>(this->p));
	exit(0);
}
