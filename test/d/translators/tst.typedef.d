/*
 * Translators work on types by their typedef names.
 */
#pragma D option quiet

typedef struct in {
	int i_a;
} in_t;
typedef struct out {
	int o_a;
} out_t;
translator out_t < in_t *p > {
	o_a = p->i_a;
};

BEGIN
{
	v = (in_t *)alloca(sizeof (in_t));
	v->i_a = 3;
	printf("%d\n", xlate <out_t> (v).o_a);
	exit(0);
}
