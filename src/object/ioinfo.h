/* What the arguments of the io provider point at, as D declares them; made by translators only (lang/kernel_io_d.c). */
#ifndef ET_OBJECT_IOINFO_H
#define ET_OBJECT_IOINFO_H

#define IOINFO_D \
	"typedef struct bufinfo {\n" \
	"	int b_flags;\n" \
	"	size_t b_bcount;\n" \
	"	uintptr_t b_addr;\n" \
	"	uint64_t b_blkno, b_lblkno;\n" \
	"	size_t b_resid, b_bufsize;\n" \
	"	uintptr_t b_iodone;\n" \
	"	int b_error;\n" \
	"	uint32_t b_edev;\n" \
	"} bufinfo_t;\n" \
	"typedef struct devinfo {\n" \
	"	int dev_major, dev_minor, dev_instance;\n" \
	"	char dev_name[32], dev_statname[32], dev_pathname[64];\n" \
	"} devinfo_t;\n"

#endif
