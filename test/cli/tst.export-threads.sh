# erltrace export when the system gives it no more threads: what has one runs, the others are named once with the reason and
# start as soon as there are threads again. Without one for alerts it does not start, and says why.
# @@timeout: 120
. "$srcdir/export.sh"
[ -z "$SAN" ] || { echo 'sanitizers want to be loaded first' >&2; exit 67; }
command -v "${CC:-cc}" >/dev/null || { echo 'there is no C compiler' >&2; exit 67; }
trap export_end EXIT
cat >few.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* As long as there is a file "few", the main thread gets as many as it says. */
int
pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
	static int made;
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
	int few = -1;
	FILE *fp = gettid() == getpid() ? fopen("few", "r") : NULL;
	if (fp && fscanf(fp, "%d", &few) != 1)
		few = -1;
	if (fp)
		fclose(fp);
	if (few < 0 || made++ < few)
		return real(t, a, f, arg);
	if ((fp = fopen("refused", "a"))) {
		fputs("refused\n", fp);
		fclose(fp);
	}
	return EAGAIN;
}
C
${CC:-cc} -shared -fPIC -o few.so few.c -ldl || exit 1
for s in a b c; do
	echo "/* @metric @n ${s}_total: Turns. */ BEGIN { @n = count(); }" >$s.d
done
cat >export.conf <<'C'
listen 127.0.0.1:0
interval 100ms
script a.d
script b.d
script c.d
C
command=$ERLTRACE
printf '#!/bin/sh\nLD_PRELOAD="%s/few.so" exec "%s" "$@"\n' "$PWD" "$command" >erltrace
chmod +x erltrace
ERLTRACE=$PWD/erltrace
# one for alerts and one for a script
echo 2 >few
: >refused
export_start || exit
wait_value a_total 1
wait=0
until [ "$(wc -l <refused)" -ge 4 ]; do # twice for each
	wait=$((wait + 1))
	[ $wait -lt 600 ] || { echo 'it does not try again'; break; }
	sleep 0.1
done
value 'erltrace_attached{script="b.d"}'
value 'erltrace_attached{script="c.d"}'
grep thread export.err
rm few
wait_value b_total 1
wait_value c_total 1
wait_value a_total 1
value 'erltrace_attaches_total{script="a.d"}'
export_stop
# none
echo 0 >few
"$ERLTRACE" export export.conf 2>&1 >/dev/null
echo "status $?"
