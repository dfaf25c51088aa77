# Asserts that words that only D reserves are ordinary names in an included C header, and still D's own where D uses
# them.

cat > words.h <<EOF
struct words { int string; char *this; long self[2]; };
int f(const char *string, int self);
string global;
self int local;
EOF
cat > words.d <<EOF
#include "words.h"
struct words *w;
BEGIN
{
	w = (struct words *)alloca(sizeof (struct words));
	w->string = 5;
	w->self[1] = 6;
	global = "g";
	self->local = 7;
	printf("%d %d %s %d", w->string, w->self[1], global, self->local);
	exit(0);
}
EOF
$ERLTRACE -C -I . -qs words.d
