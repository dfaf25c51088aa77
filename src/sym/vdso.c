/* See vdso.h. */
#include "sym/vdso.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* The section headers are its last part. */
const void *
vdso_image(size_t *len)
{
	const void *at = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr eh;
	if (!at)
		return NULL;
	memcpy(&eh, at, sizeof eh);
	if (memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_shoff > VDSO_MOST)
		return NULL;
	*len = (size_t)eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	return *len >= sizeof eh && *len <= VDSO_MOST ? at : NULL;
}

int
vdso_file(void)
{
	size_t len;
	const void *image = vdso_image(&len);
	int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	if (fd >= 0 && write(fd, image, len) != (ssize_t)len) {
		close(fd);
		return -1;
	}
	return fd;
}
