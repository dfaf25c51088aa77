/* plugin PATH N: says "ready", waits for a line, loads the library and calls its `plugged` N times. -DLIBRARY: the
 * library. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
long
plugged(long i)
{
	return i + 1;
}
#else
int
main(int argc, char **argv)
{
	char line[16];
	if (argc < 3 || write(1, "ready\n", 6) < 0 || read(0, line, sizeof line) < 0)
		return 1;
	void *lib = dlopen(argv[1], RTLD_NOW);
	long (*fn)(long) = lib ? (long (*)(long))dlsym(lib, "plugged") : NULL;
	for (long i = 0; fn && i < atol(argv[2]); i++)
		fn(i);
	return fn && dlclose(lib) == 0 ? 0 : 1;
}
#endif
