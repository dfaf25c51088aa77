/* The turns of a view that is redrawn every interval: see live.h. */
#include "cli/live.h"

#include "base/clock.h"
#include "picture/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOK_MS = 50, WORK_NS = 100000000, SAID_LINES = 4, SAID_MOST = 256 << 10 };

/* `erltrace -N shop top`: the word becomes a program. */
int
cli_take_top(struct cli *c)
{
	if (strcmp(c->args[1], "top") != 0)
		return -1;
	if (!c->node && !c->ntargets) {
		char nodes[512];
		cli_node_names(nodes, sizeof nodes);
		cli_error(c, "top is about an Erlang node: name it with -N%s%s",
		    nodes[0] ? "; on this machine there are: " : "; none is running on this machine", nodes);
		return EXIT_ERROR;
	}
	if (c->nargs > 2) {
		cli_error(c, "extraneous argument '%s': top takes options only (--by, --sort, --interval, --for)",
		    c->args[2]);
		return EXIT_USAGE;
	}
	c->is_top = true;
	c->nargs = 1;
	cli_add_opt(c, "-q", "quiet", NULL, NULL);
	c->progs[c->nprogs++] =
	    (struct cli_prog){.kind = PROG_READY, .arg = "top", .text = top_program(c), .desc = "script"};
	return 0;
}

static bool
is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

int
cli_live_check(struct cli *c)
{
	static const char *const ways[] = {"process", "function", NULL};
	static const char *const top_sorts[] = {"run", "sent", "got", "queue", "gc", "gctime", NULL};
	static const char *const agg_sorts[] = {"rate", "value", "key", NULL};
	const char *wrong = NULL;
	char no_output[128];
	snprintf(no_output, sizeof no_output, "top, --top and --heatmap cannot be combined with --%s or -o file.svg",
	    c->output ? c->output : "json");
	if (c->is_top + c->top_aggs + c->heatmap > 1)
		wrong = "top, --top and --heatmap are views of their own: give one of them";
	else if (c->by && !c->is_top)
		wrong = "--by is for top";
	else if (c->by && !is_one_of(c->by, ways))
		wrong = "--by takes process or function";
	else if (c->sort && !c->is_top && !c->top_aggs)
		wrong = "--sort is for top and --top";
	else if (c->sort && c->is_top && !is_one_of(c->sort, top_sorts))
		wrong = "--sort of top takes run, sent, got, queue, gc or gctime";
	else if (c->sort && c->top_aggs && !is_one_of(c->sort, agg_sorts))
		wrong = "--sort of --top takes rate, value or key";
	else if (c->interval && !c->is_top && !c->top_aggs && !c->heatmap)
		wrong = "--interval is for top, --top and --heatmap";
	else if ((c->is_top || c->top_aggs || c->heatmap) && (c->output || cli_wants_picture(c)))
		wrong = no_output;
	else if (c->calls && (c->top_aggs || c->heatmap || cli_wants_picture(c)))
		wrong = "calls of functions are lines: --top, --heatmap and -o file.svg show what a script aggregates";
	if (!wrong)
		return 0;
	cli_error(c, "%s", wrong);
	return EXIT_USAGE;
}

int
cli_live_open(struct cli *c)
{
	if (!c->is_top && !c->top_aggs && !c->heatmap)
		return 0;
	struct live *l = calloc(1, sizeof *l);
	c->live = l;
	if (!l) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	l->c = c;
	l->view = c->is_top ? VIEW_TOP : c->heatmap ? VIEW_HEAT : VIEW_AGGS;
	l->interval = c->interval ? c->interval : 1000000000u;
	l->top = l->view == VIEW_TOP ? top_new(c) : NULL;
	l->aggs = l->view == VIEW_AGGS ? aggs_new(c) : NULL;
	l->heat = l->view == VIEW_HEAT ? malloc(sizeof *l->heat) : NULL;
	if (!l->top && !l->aggs && !l->heat) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	l->began = l->last = mono_ns();
	if (l->heat)
		picture_init(l->heat, l->began, l->interval);
	screen_open(&l->s, c->out, c->show);
	l->none = fopen("/dev/null", "we");
	if (!l->none) {
		cli_error(c, "failed to open /dev/null: %s", strerror(errno));
		return EXIT_ERROR;
	}
	/* messages would end up in the middle of the picture */
	l->said = l->s.is_live ? open_memstream(&l->saidtext, &l->saidlen) : NULL;
	return 0;
}

FILE *
cli_live_out(const struct cli *c)
{
	return c->live && c->live->none ? c->live->none : c->out;
}

FILE *
cli_live_err(const struct cli *c)
{
	return c->live ? c->live->said : NULL;
}

static bool
take(struct live *l, bool snap)
{
	struct et *h = l->c->h;
	if (l->view == VIEW_TOP)
		return true; /* when it is drawn */
	if (snap && et_status(h) == ET_STATUS_OKAY && et_aggregate_snap(h) != 0)
		return false;
	return l->aggs ? aggs_take(l->aggs, h) : picture_take(l->heat, h, mono_ns());
}

bool
cli_live_take(struct cli *c, bool snap)
{
	return !c->live || take(c->live, snap);
}

/* Keeps only the last part of what was printed. */
static void
forget_said(struct live *l)
{
	if (l->saidlen < SAID_MOST)
		return;
	char *all = NULL;
	size_t keep = SAID_MOST / 4;
	fclose(l->said);
	all = l->saidtext;
	const char *from = all + l->saidlen - keep, *line = memchr(from, '\n', keep);
	l->saidtext = NULL;
	l->said = open_memstream(&l->saidtext, &l->saidlen);
	if (l->said)
		fputs(line ? line + 1 : from, l->said);
	free(all);
}

/* Adds the last messages below the picture. */
static void
add_said(struct live *l)
{
	if (!l->said || fflush(l->said) != 0 || !l->saidlen)
		return;
	const char *end = l->saidtext + l->saidlen, *at = end;
	unsigned lines = 0;
	while (at > l->saidtext && lines <= SAID_LINES)
		lines += *--at == '\n' && at + 1 < end;
	at += *at == '\n';
	sb_adds(&l->frame, "\n");
	while (at < end) {
		char line[512];
		size_t len = strcspn(at, "\n");
		snprintf(line, sizeof line, "%.*s", (int)len, at);
		screen_text(&l->s, &l->frame, line, (int)l->s.cols);
		sb_adds(&l->frame, "\n");
		at += len + (at[len] == '\n');
	}
	forget_said(l);
}

static void
draw_title(struct live *l)
{
	struct screen *s = &l->s;
	char line[512], clock[16] = "";
	time_t now = time(NULL);
	struct tm here;
	localtime_r(&now, &here);
	strftime(clock, sizeof clock, "%H:%M:%S", &here);
	if (!s->is_live) {
		if (l->view != VIEW_HEAT)
			sb_printf(&l->frame, "%s\n", clock);
		return;
	}
	static const char *const keys[] = {
	    "f functions, p processes; sort: r run, s sent, g got, m queue, c gc, t gc time",
	    "sort: r rate, v value, k key", "time goes to the right, brighter is more"};
	snprintf(line, sizeof line, "erltrace  %s  every %.1f s   q ends, + - interval; %s", clock,
	    (double)l->interval / 1e9, keys[l->view]);
	screen_text(s, &l->frame, line, (int)s->cols);
	sb_adds(&l->frame, "\n");
}

static const char *
node_name(const struct cli *c)
{
	return c->node ? c->node : c->found_node;
}

static bool
draw(struct live *l, uint64_t now)
{
	double seconds = (double)(now - l->last) / 1e9;
	l->seconds = seconds;
	sb_clear(&l->frame);
	screen_size(&l->s);
	l->last = now;
	if (l->view == VIEW_HEAT && !l->s.is_live)
		return true;
	draw_title(l);
	if (l->top) {
		if (!top_take(l->top, l->c->h))
			return false;
		top_draw(l->top, &l->s, &l->frame, node_name(l->c), seconds);
	} else if (l->aggs)
		aggs_draw(l->aggs, &l->s, &l->frame, seconds, false);
	else if (!heat_draw(l->heat, &l->s, &l->frame, l->s.rows > 8 ? l->s.rows - 7 : 1))
		sb_adds(&l->frame, "no values yet\n");
	add_said(l);
	if (!l->s.is_live)
		sb_adds(&l->frame, "\n");
	if (l->frame.failed)
		return false;
	return screen_show(&l->s, &l->frame);
}

static void
on_key(struct live *l, int key)
{
	if (key == 'q' || key == 'Q' || key == 4)
		et_interrupt(l->c->h);
	else if (key == '+' && l->interval < 60000000000u)
		l->interval *= 2;
	else if (key == '-' && l->interval > 250000000u)
		l->interval /= 2;
	else if (!(l->top && top_key(l->top, key)) && !(l->aggs && aggs_key(l->aggs, key)))
		return;
}

bool
cli_live_wait(struct cli *c)
{
	struct live *l = c->live;
	if (!l) {
		et_sleep(c->h);
		return true;
	}
	for (;;) {
		int key = screen_key(&l->s, LOOK_MS);
		uint64_t now = mono_ns();
		if (key)
			on_key(l, key);
		if (now - l->last >= l->interval && !draw(l, now))
			return false;
		if (key || now - l->work >= WORK_NS) {
			l->work = now;
			return true;
		}
	}
}

int
cli_live_end(struct cli *c, bool ok)
{
	struct live *l = c->live;
	int status = EXIT_OK;
	if (!l)
		return EXIT_OK;
	bool was_live = l->s.is_live;
	screen_close(&l->s);
	if (l->said) {
		fclose(l->said);
		l->said = NULL;
		cli_put(c, stderr, l->saidtext, l->saidlen);
	}
	if (!ok)
		return EXIT_OK;
	sb_clear(&l->frame);
	if (l->view == VIEW_HEAT) {
		l->s.cols = 80;
		if (!heat_draw(l->heat, &l->s, &l->frame, 0)) {
			cli_error(c,
			    "there is nothing to draw: a heatmap needs values in a distribution (quantize(), lquantize(), llquantize())");
			status = EXIT_ERROR;
		}
	} else if (l->aggs)
		aggs_draw(l->aggs, &l->s, &l->frame, (double)(mono_ns() - l->began) / 1e9, true);
	else if (was_live && l->seconds > 0)
		top_draw(l->top, &l->s, &l->frame, node_name(c), l->seconds);
	screen_show(&l->s, &l->frame);
	return status;
}

void
cli_live_close(struct cli *c)
{
	struct live *l = c->live;
	if (!l)
		return;
	screen_close(&l->s);
	if (l->said)
		fclose(l->said);
	if (l->none)
		fclose(l->none);
	free(l->saidtext);
	top_free(l->top);
	aggs_free(l->aggs);
	if (l->heat)
		picture_free(l->heat);
	free(l->heat);
	sb_free(&l->frame);
	free(l);
	c->live = NULL;
}
