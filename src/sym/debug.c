/*
 * Separate debug files. A stripped program has at most the symbols of what it exports. The others may be in a file that
 * is found by the build id, where Debian's -dbgsym packages and others put it: /usr/lib/debug/.build-id/ab/cdef….debug,
 * as the process sees it or as we do. It is used only if its own build id is the same, and if root or the owner of the
 * program owns it. The owner matters because anybody may show a process a folder of his own making, and the symbols of
 * a library are those of all processes.
 */
#include "sym/slow.h"
#include "sym/syms.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
take_from(struct elf *e, int program, const char *path, unsigned want, struct spending *sp)
{
	struct elf debug;
	struct stat st, of;
	struct why why;
	bool taken = false;
	int fd = slow_open(sp, path, 0, &st);
	if (fd >= 0 && slow_stat(sp, program, &of) && (st.st_uid == 0 || st.st_uid == of.st_uid) &&
	    elf_read_fd(&debug, fd, want, sp, &why)) {
		taken = elf_take_symbols(e, &debug);
		elf_free(&debug);
	}
	if (fd >= 0)
		slow_close(sp, fd);
	return taken;
}

bool
proc_elf(struct elf *e, int64_t pid, int fd, unsigned want, struct spending *sp, struct why *why)
{
	char name[2 * ELF_MAX_ID + 2], path[sizeof name + 80];
	if (!elf_read_fd(e, fd, want, sp, why))
		return false;
	if (!(want & ELF_SYMS) || e->has_symtab || e->nid < 2)
		return true;
	for (unsigned i = 0, at = 0; i < e->nid; i++)
		at += (unsigned)sprintf(name + at, i == 0 ? "%02x/" : "%02x", e->id[i]);
	snprintf(path, sizeof path, "/proc/%lld/root/usr/lib/debug/.build-id/%s.debug", (long long)pid, name);
	if (pid && take_from(e, fd, path, want & (ELF_SYMS | ELF_DATA), sp))
		return true;
	snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%s.debug", name);
	take_from(e, fd, path, want & (ELF_SYMS | ELF_DATA), sp);
	return true;
}
