/*
 * The io provider: start and done of the requests that the kernel gives to block devices (block_rq_issue and
 * block_rq_complete). args[0] is a bufinfo_t, args[1] a devinfo_t, args[2] a fileinfo_t; dlib/kernel/io.d says what
 * each member is made of.
 *
 * One request may be made of several writes of a program, and is often given to the device by a thread of the kernel's
 * own. Devices without a queue of their own (md, dm, zram) are seen in the devices below them. DTrace's wait-start and
 * wait-done have no tracepoint, so they are not there.
 */
#include "provider/kernel/named.h"

static const char *const of_request[] = {
    "struct request * : bufinfo_t *", "struct request * : devinfo_t *", "struct request * : fileinfo_t *", NULL};

/* arg3 of done is the status of the request, which bufinfo_t's b_error is made of; arg4 is how many bytes are done. */
static const struct named rows[] = {
    NAMED_TP("io", "start", of_request, "block_rq_issue", .nargs = 1, .when = {{.what = KW_FIRST, .n = 0}},
	.args = {NAMED_RAW(0), NAMED_RAW(0), NAMED_RAW(0)}),
    NAMED_TP("io", "done", of_request, "block_rq_complete", .nargs = 3,
	.args = {NAMED_RAW(0), NAMED_RAW(0), NAMED_RAW(0), NAMED_RAW(1), NAMED_RAW(2)}),
    {0},
};

static bool
provide(struct probes *ps, const struct provider *pv)
{
	return named_provide(ps, pv, rows);
}

static const struct pv_text argnames[] = {
    {"*", "buffer,device,file"},
    {0},
};

/* Probes that DTrace documents and Linux tells nothing of, or not the same. */
static const struct pv_text absent[] = {
    {"wait-start", "nothing in Linux tells which request a thread waits for"},
    {"wait-done", "nothing in Linux tells which request a thread waits for"},
    {0},
};

const struct provider provider_io = {.name = "io",
    .provide = provide,
    .kernel = true,
    .start = named_start,
    .argnames = argnames,
    .absent = absent,
    .stability = "Evolving/Evolving/ISA"};
