/*
 * A request to a block device in the terms of DTrace's io provider: part of the library of the kernel's probes (see
 * psinfo.d).
 *
 * The file of a request is known if its memory is a page of a file's cache: the page leads to the file's inode and the
 * first of its names. Direct reads and writes of programs, and the file system's own data, have no file.
 */

#define OP (R->cmd_flags & 0xff) /* REQ_OP_READ is 0, REQ_OP_WRITE is 1 */
#define SYNC (R->cmd_flags & (1 << 11))
/* The device of a request: the partition that was asked for, or the whole device. */
#define DEV (R->part != NULL ? R->part->bd_dev : R->q->disk->major << 20 | R->q->disk->first_minor)
#define NAME \
	(R->part != NULL ? stringof((char *)R->part->bd_device.kobj.name) : stringof((char *)R->q->disk->disk_name))

#define PAGE R->bio->bi_io_vec[R->bio->bi_iter.bi_idx].bv_page
/* A page of a larger unit points to the unit's first page, plus one. */
#define HEAD \
	((struct page *)((uintptr_t)PAGE->compound_head & 1 ? (uintptr_t)PAGE->compound_head - 1 : (uintptr_t)PAGE))
/* The lowest bits distinguish memory of programs from memory of files. */
#define MAPPING ((uintptr_t)HEAD->mapping)
#define INODE ((struct address_space *)MAPPING)->host
#define HAS_PAGE (R->bio != NULL && R->__data_len != 0 && OP < 2)
#define IN_CACHE (HAS_PAGE && MAPPING != 0 && (MAPPING & 3) == 0)
/* The cache of a device itself, where file systems keep their own data, belongs to no file. */
#define HAS_FILE (IN_CACHE && (INODE->i_mode & 0xf000) != 0x6000 && INODE->i_dentry.first != NULL)
#define DENTRY ((struct dentry *)((uintptr_t)INODE->i_dentry.first - offsetof(struct dentry, d_u)))

/* d_path() of the kernel engine: 1 says that it is a dentry, 2 asks for the place where it is mounted. */
#define PATH d_path((void *)((uintptr_t)DENTRY | 1))
#define MOUNT d_path((void *)((uintptr_t)DENTRY | 3))

translator bufinfo_t < struct request *R > {
	b_flags = (OP == 0 ? B_READ : B_WRITE) | (OP == 0 || SYNC ? 0 : B_ASYNC) |
	    (IN_CACHE ? B_PAGEIO : B_PHYS) |
	    (probename == "done" ? B_DONE | (arg3 ? B_ERROR : 0) : B_BUSY);
	b_bcount = R->__data_len;
	b_bufsize = R->__data_len;
	b_blkno = R->__sector;
	b_lblkno = R->__sector;
	b_addr = 0;
	b_iodone = (uintptr_t)R->end_io;
	b_resid = probename == "done" && arg4 < R->__data_len ? R->__data_len - arg4 : 0;
	/* blk_status_t, as far as DTrace's scripts distinguish errors. */
	b_error = probename != "done" || arg3 == 0 ? 0 : arg3 == 1 ? EOPNOTSUPP : arg3 == 2 ? ETIMEDOUT :
	    arg3 == 3 ? ENOSPC : EIO;
	b_edev = DEV;
};
translator devinfo_t < struct request *R > {
	dev_major = DEV >> 20;
	dev_minor = DEV & 0xfffff;
	dev_instance = R->q->disk->first_minor;
	dev_name = stringof((char *)R->q->disk->disk_name);
	dev_statname = NAME;
	dev_pathname = strjoin("/dev/", NAME);
};
translator fileinfo_t < struct request *R > {
	fi_name = HAS_FILE ? stringof((char *)DENTRY->d_name.name) : "<none>";
	fi_dirname = HAS_FILE ? dirname(PATH) : "<none>";
	fi_pathname = HAS_FILE ? PATH : "<none>";
	fi_mount = HAS_FILE ? MOUNT : "<none>";
	fi_fs = HAS_FILE ? stringof((char *)INODE->i_sb->s_type->name) : "<none>";
	fi_offset = HAS_FILE ? HEAD->index << 12 : 0;
	fi_offset = HAS_FILE ? HEAD->__folio_index << 12 : 0;
};
	/* A descriptor of the current process. */
translator fileinfo_t < int FD > {
	fi_name = stringof(fds[FD].fi_name);
	fi_dirname = stringof(fds[FD].fi_dirname);
	fi_pathname = stringof(fds[FD].fi_pathname);
	fi_mount = stringof(fds[FD].fi_mount);
	fi_fs = stringof(fds[FD].fi_fs);
	fi_offset = fds[FD].fi_offset;
	fi_oflags = fds[FD].fi_oflags;
};
