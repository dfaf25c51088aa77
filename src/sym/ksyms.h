/*
 * Addresses of the kernel's own variables and functions by name: /proc/kallsyms, read once and searched as text.
 */
#ifndef ET_SYM_KSYMS_H
#define ET_SYM_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KSYMS_PATH "/proc/kallsyms"

struct ksyms;
/* Returns NULL if it cannot be read (errno says why) or if there is no memory. If path is NULL it is this kernel's. */
struct ksyms *ksyms_open(const char *path);
void ksyms_close(struct ksyms *k);

struct ksym {
	uint64_t addr;
	bool is_function;
};
/* Finds the first symbol of that name: of the module, or of the kernel itself if `module` is "vmlinux". If `module`
 * is "" it may be in either; the kernel itself comes first. */
bool ksyms_find(const struct ksyms *k, const char *module, const char *name, struct ksym *out);
/* Why a name may be missing: addresses are hidden from this process, or variables are not listed at all. */
bool ksyms_are_hidden(const struct ksyms *k);
bool ksyms_have_data(const struct ksyms *k);

#endif
