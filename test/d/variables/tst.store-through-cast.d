/*
 * Memory that a variable points at can be stored to as whatever type it is cast to.
 */
#pragma D option quiet

struct pair {
	int a;
	int b;
};

BEGIN
{
	this->p = alloca(sizeof (struct pair));
	*((int *)this->p) = 7;
	((struct pair *)this->p)->b = 9;
	printf("%d %d\n", ((struct pair *)this->p)->a, *((int *)this->p + 1));
	exit(0);
}
