/*
 * An assignment inside if is seen after it.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	if (x == 1) {
		x = 10;
		self->y = 20;
		this->z = 30;
	}
	printf("%d %d %d\n", x, self->y, this->z);
	exit(0);
}
