# -C with -D -U -I and -H; -D and -I without -C are accepted.
mkdir inc
echo '#define FROM_HEADER 5' >inc/h.h
cat >x.d <<'END'
#include "h.h"
BEGIN {
#ifdef GONE
	printf("gone is defined\n");
#endif
	printf("%d %d\n", FROM_HEADER, GIVEN);
	exit(0);
}
END
"$ERLTRACE" -C -I inc -D GIVEN=7 -D GONE -U GONE -qs x.d
"$ERLTRACE" -CH -Iinc -DGIVEN=8 -qs x.d 2>err
grep -q 'inc/h.h' err && echo named
"$ERLTRACE" -D A=1 -I inc -qn 'BEGIN { exit(0); }'
echo "status $?"
# What the preprocessor complains of is shown at its place in the script.
printf 'BEGIN { exit(0); }\n#include "nosuch.h"\n' >y.d
"$ERLTRACE" -C -s y.d 2>&1
printf 'BEGIN { exit(0); }\n#ifdef X\n' >z.d
"$ERLTRACE" -C -s z.d 2>&1 | grep -c 'z.d:2:1:'
"$ERLTRACE" -C -x cpppath=/bin/false -n BEGIN 2>&1
true
