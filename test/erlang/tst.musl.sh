# musl's dynamic loader loads the library into a program that has the VM's functions, and binds all symbols at once. The
# library tells which module and which interface version it is for.
SO=$BUILD/otp/erltrace/priv/erltrace_tracer.so
[ -e "$SO" ] || { echo "built without Erlang" >&2; exit 67; }
command -v musl-gcc >/dev/null || { echo "musl-gcc is not installed (Debian: musl-tools)" >&2; exit 67; }
readelf --dyn-syms -W "$SO" | awk '$7 == "UND" && $8 ~ /^enif_/ { print "void " $8 "(void);\nvoid " $8 "(void) { abort(); }" }' >enif.c
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "enif.c"

/* The beginning of ErlNifEntry. */
struct entry {
	int major, minor;
	const char *name;
	int nfunctions;
};

int
main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
	struct entry *(*init)(void) = library ? (struct entry * (*)(void)) dlsym(library, "nif_init") : NULL;
	if (!init) {
		puts(dlerror());
		return 1;
	}
	const struct entry *e = init();
	printf("%s for NIF interface %d.%d, with%s functions\n", e->name, e->major, e->minor, e->nfunctions > 0 ? "" : "out");
	return dlclose(library) != 0;
}
END
musl-gcc -O1 -rdynamic -o main main.c || exit
readelf -lW main | grep -o 'ld-musl-[a-z0-9_]*' | sed 's/-[^-]*$//'
./main "$SO"
