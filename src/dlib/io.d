/* What the arguments of the io provider point at. Only translators make them (kernel/io.d). */
typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	uintptr_t b_addr;
	uint64_t b_blkno, b_lblkno;
	size_t b_resid, b_bufsize;
	uintptr_t b_iodone;
	int b_error;
	uint32_t b_edev;
} bufinfo_t;
typedef struct devinfo {
	int dev_major, dev_minor, dev_instance;
	char dev_name[32], dev_statname[32], dev_pathname[64];
} devinfo_t;
