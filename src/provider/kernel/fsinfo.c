/*
 * The fsinfo provider: operations on open files, from the system calls that do them. args[0] is the file, a fileinfo_t.
 * args[1] is the result of the call: the bytes of a read or a write.
 *
 * A call that fails does not fire. Mapped files, io_uring and sendfile() bypass these calls. DTrace's probes for
 * operations on paths (lookup, create, remove …) do not exist here, because these have no open file.
 */
#include "provider/kernel/named.h"

#include <sys/syscall.h>

static const char *const of_file[] = {"int : fileinfo_t *", "int64_t", NULL};

#define FILE_CALL(name, nr) NAMED_CALL("fsinfo", name, of_file, nr, KP_CALL_FILE)
static const struct named rows[] = {
    FILE_CALL("read", SYS_read),
    FILE_CALL("read", SYS_pread64),
    FILE_CALL("read", SYS_readv),
    FILE_CALL("read", SYS_preadv),
    FILE_CALL("read", SYS_preadv2),
    FILE_CALL("write", SYS_write),
    FILE_CALL("write", SYS_pwrite64),
    FILE_CALL("write", SYS_writev),
    FILE_CALL("write", SYS_pwritev),
    FILE_CALL("write", SYS_pwritev2),
    FILE_CALL("fsync", SYS_fsync),
    FILE_CALL("fsync", SYS_fdatasync),
    FILE_CALL("readdir", SYS_getdents64),
    FILE_CALL("seek", SYS_lseek),
    FILE_CALL("getattr", SYS_fstat),
    FILE_CALL("ioctl", SYS_ioctl),
    FILE_CALL("space", SYS_fallocate),
    FILE_CALL("space", SYS_ftruncate),
    /* At the beginning of the call, because afterwards the file is gone. */
    NAMED_CALL("fsinfo", "close", of_file, SYS_close, KP_CLOSING),
    {0},
};

static bool
provide(struct probes *ps, const struct provider *pv)
{
	return named_provide(ps, pv, rows);
}

static const struct pv_text argnames[] = {
    {"*", "file,result"},
    {0},
};

/* Probes that DTrace documents and Linux tells nothing of, or not the same. */
#define BY_PATH "it is about a path, not an open file; syscall::: has these calls"
static const struct pv_text absent[] = {
    {"access", BY_PATH},
    {"create", BY_PATH},
    {"link", BY_PATH},
    {"lookup", BY_PATH},
    {"mkdir", BY_PATH},
    {"open", "at the call there is no open file yet; syscall::openat:return has the descriptor"},
    {"readlink", BY_PATH},
    {"remove", BY_PATH},
    {"rename", BY_PATH},
    {"rmdir", BY_PATH},
    {"setattr", BY_PATH},
    {"symlink", BY_PATH},
    {0},
};

const struct provider provider_fsinfo = {.name = "fsinfo",
    .provide = provide,
    .kernel = true,
    .start = named_start,
    .argnames = argnames,
    .absent = absent,
    .stability = "Evolving/Evolving/Common"};
