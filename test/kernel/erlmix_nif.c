/* Burns time in C and in system calls, for tests of stacks. */
#include <erl_nif.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) static int
burn_in_c(int n)
{
	volatile int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

__attribute__((noinline)) static int
burn_in_calls(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += (int)syscall(SYS_getppid);
	return sum;
}

static ERL_NIF_TERM
in_c(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	int n = 0;
	(void)argc;
	enif_get_int(env, argv[0], &n);
	return enif_make_int(env, burn_in_c(n) & 1);
}

static ERL_NIF_TERM
in_calls(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	int n = 0;
	(void)argc;
	enif_get_int(env, argv[0], &n);
	return enif_make_int(env, burn_in_calls(n) & 1);
}

static ErlNifFunc functions[] = {{"in_c", 1, in_c, 0}, {"in_calls", 1, in_calls, 0}};

ERL_NIF_INIT(erlmix, functions, NULL, NULL, NULL, NULL)
