# Asserts that a translator of a library works.

mkdir lib
cat >lib/t.d <<'END'
struct in { int x; };
typedef struct out { int y; } out_t;
translator out_t < struct in *p > {
	y = p->x * 2;
};
END
$ERLTRACE -L lib -qn 'BEGIN { p = (struct in *)alloca(sizeof (struct in)); p->x = 21; printf("%d\n", xlate <out_t> (p).y); exit(0); }'
