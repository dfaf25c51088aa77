# Flow indentation of two threads whose calls interleave: each is indented by itself, in DTrace's columns.
. "$srcdir/common.sh"
cat >two.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static sem_t turn[2];
__attribute__((noinline)) void f1(int me)
{
	__asm__ volatile("");
	sem_post(&turn[!me]);
	sem_wait(&turn[me]);
}
__attribute__((noinline)) void f0(int me)
{
	f1(me);
	sem_post(&turn[!me]);
	sem_wait(&turn[me]);
}
static void *run(void *me)
{
	int i = me != 0;
	sem_wait(&turn[i]);
	f0(i);
	sem_post(&turn[!i]);
	return me;
}
int main(void)
{
	pthread_t t[2];
	sem_init(&turn[0], 0, 1);
	sem_init(&turn[1], 0, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], 0, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
C
${CC:-cc} -O1 -pthread -fno-optimize-sibling-calls -o two two.c || exit 1
"$ERLTRACE" -xengine=kernel -F -n 'pid$target:a.out:f0:entry, pid$target:a.out:f0:return, pid$target:a.out:f1:entry, pid$target:a.out:f1:return { }' \
	-n 'END { printf("over"); }' -c ./two 2>/dev/null | sed -e 's/^ *[0-9][0-9]* /  0 /' -e 's/ *$//'
