/*
 * Members of less than 64 bits are read with their own sign.
 */
#pragma D option quiet

struct n {
	char n_c;
	unsigned char n_u;
	short n_s;
	uint16_t n_us;
	uint32_t n_ui;
} v;

BEGIN
{
	v.n_c = -1;
	v.n_u = -1;
	v.n_s = -1;
	v.n_us = -1;
	v.n_ui = -1;
	printf("%d %d %d %d %u\n", v.n_c, v.n_u, v.n_s, v.n_us, v.n_ui);
	exit(0);
}
