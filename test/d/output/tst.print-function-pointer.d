/*
 * print() shows pointers to functions as they are declared, with the name inside.
 */
#pragma D option quiet

struct s {
	int (*one)(int, char *);
	int (*some[2])(int);
} s;

BEGIN
{
	print(s);
	exit(0);
}
