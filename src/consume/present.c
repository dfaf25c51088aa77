/* The default presentation of dtrace(1): header, CPU and ID columns, flow indentation. */
#include "consume/consume.h"

#include <string.h>

static bool
is_in_line(const struct consumer *c)
{
	return c->out.len ? c->out.at[c->out.len - 1] != '\n' : c->in_line;
}

/*
 * Text without columns is for scripts that make their own lines: "shop@host: text". A line may be printed by several
 * records, but only by those of one node.
 */
size_t
cs_label(struct consumer *c, const struct et_probedata *d, unsigned source)
{
	size_t before = c->out.len;
	if (!d->node || c->opts->num[OPT_FLOWINDENT] || (is_in_line(c) && c->line_source == source))
		return before;
	if (is_in_line(c))
		sb_addc(&c->out, '\n');
	sb_printf(&c->out, "%s: ", d->node);
	return before;
}

void
cs_unlabel(struct consumer *c, size_t before, size_t labelled, unsigned source)
{
	if (c->out.len != labelled)
		c->line_source = source;
	else if (!c->out.failed)
		c->out.len = before;
}

enum { PROCESS_COLUMN = 11 };

static void
add_process(struct sbuf *b, const struct show *s, const char *process)
{
	size_t before = b->len;
	text_add_safe(b, s, process, strlen(process));
	sb_fill(b, ' ', b->len - before < PROCESS_COLUMN ? PROCESS_COLUMN - (b->len - before) : 0);
	sb_addc(b, ' ');
}

void
cs_present_probe(struct consumer *c, const struct et_probedata *d)
{
	struct sbuf *b = &c->out;
	bool flow = c->opts->num[OPT_FLOWINDENT] != 0, quiet = c->opts->num[OPT_QUIET] != 0;
	if (!c->headed && c->ops->sources && (flow || !quiet))
		sb_printf(b, "%-*s ", (int)c->nodewidth, "NODE");
	if (!c->headed && flow && c->tells_process)
		sb_printf(b, "%3s %-*s %-41s\n", "CPU", (int)PROCESS_COLUMN, "PROCESS", "FUNCTION");
	else if (!c->headed && flow)
		sb_printf(b, "%3s %-41s\n", "CPU", "FUNCTION");
	else if (!c->headed && !quiet)
		sb_printf(b, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
	c->headed = true;
	if (!flow && quiet)
		return;
	if (c->ops->sources)
		sb_printf(b, "%-*s ", (int)c->nodewidth, d->node ? d->node : "");
	struct sbuf name = {0};
	struct show s = cs_show(c);
	const char *function = d->probe->function, *probe = d->probe->name;
	if (!flow) {
		text_add_safe(&name, &s, function, strlen(function));
		sb_addc(&name, ':');
		text_add_safe(&name, &s, probe, strlen(probe));
		sb_printf(b, "%3u %6u %32s ", d->cpu, d->probe->id, name.at ? name.at : "");
	} else {
		sb_printf(&name, "%*s%s", (int)d->indent, "", d->prefix);
		text_add_safe(&name, &s, function, strlen(function));
		if (d->flow == ET_FLOW_NONE) {
			sb_addc(&name, ':');
			text_add_safe(&name, &s, probe, strlen(probe));
		}
		sb_printf(b, "%3u ", d->cpu);
		if (c->tells_process)
			add_process(b, &s, d->process ? d->process : "");
		sb_printf(b, "%-41s ", name.at ? name.at : "");
	}
	b->failed |= name.failed;
	sb_free(&name);
}

const struct output *
cs_output(const struct consumer *c)
{
	static const struct {
		enum opt_id option;
		const struct output *out;
	} outputs[] = {
#define ROW(X, id, name, help) {OPT_##id, &output_##name},
	    ET_OUTPUTS(ROW, )
#undef ROW
	};
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		if (c->opts->num[outputs[i].option])
			return outputs[i].out;
	return NULL;
}
