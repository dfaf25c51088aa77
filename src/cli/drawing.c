/* -o FILE.svg: aggregations as a picture, drawn when tracing has ended. What the script prints goes to standard output.
 */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/outfile.h"
#include "picture/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool
cli_wants_picture(const struct cli *c)
{
	size_t n = c->ofile ? strlen(c->ofile) : 0;
	return n > 4 && strcasecmp(c->ofile + n - 4, ".svg") == 0;
}

int
cli_picture_open(struct cli *c)
{
	int64_t rate = 0;
	if (!cli_wants_picture(c))
		return 0;
	/* the old contents stay until there is something new */
	struct why why;
	struct stat st;
	c->made_ofile = lstat(c->ofile, &st) != 0;
	int fd = out_open(c->ofile, 0, &why);
	if (fd < 0) {
		cli_error(c, "failed to open output file '%s': %s", c->ofile, why.text);
		return EXIT_ERROR;
	}
	close(fd);
	c->picture = malloc(sizeof *c->picture);
	if (!c->picture) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	et_getopt(c->h, "aggrate", &rate, NULL);
	picture_init(c->picture, mono_ns(), rate > 1000000 ? (uint64_t)rate : 1000000);
	return 0;
}

bool
cli_picture_take(struct cli *c, bool snap)
{
	if (!c->picture)
		return true;
	return (!snap || et_status(c->h) != ET_STATUS_OKAY || et_aggregate_snap(c->h) == 0) &&
	       picture_take(c->picture, c->h, mono_ns());
}

/* What the picture is called: the script, or its text. */
static const char *
title(const struct cli *c)
{
	const char *name = c->nprogs ? c->progs[0].arg : "erltrace", *slash = strrchr(name, '/');
	return c->nprogs && c->progs[0].kind != PROG_TEXT && slash ? slash + 1 : name;
}

int
cli_picture_write(struct cli *c)
{
	struct sbuf b = {0};
	unsigned panels = 0;
	int status = EXIT_ERROR;
	if (!c->picture)
		return EXIT_OK;
	if (!picture_draw(c->picture, c->h, title(c), &b, &panels))
		cli_error(c, "%s: out of memory for the picture", c->ofile);
	else if (!panels) {
		cli_error(c,
		    "%s: there is nothing to draw: a picture needs values in a distribution (quantize(), lquantize(), "
		    "llquantize()), a count() or sum() with keys, or requests in @waterfall",
		    c->ofile);
	} else {
		struct why why;
		FILE *fp = out_fopen(c->ofile, O_TRUNC, &why);
		bool ok = fp && fwrite(b.at, 1, b.len, fp) == b.len && fflush(fp) == 0;
		if (fp && !ok)
			why_set(&why, "%s", strerror(errno));
		if (fp && fclose(fp) != 0 && ok) {
			ok = false;
			why_set(&why, "%s", strerror(errno));
		}
		if (!ok)
			cli_error(c, "failed to write '%s': %s", c->ofile, why.text);
		else
			status = EXIT_OK;
	}
	sb_free(&b);
	return status;
}

void
cli_picture_close(struct cli *c)
{
	struct stat st;
	if (c->picture)
		picture_free(c->picture);
	/* nothing was drawn */
	if (c->made_ofile && lstat(c->ofile, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		unlink(c->ofile);
	free(c->picture);
	c->picture = NULL;
}
