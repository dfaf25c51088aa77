/*
 * The ready scripts: a few that need nothing because they run on made-up data, and those of a folder. The first comment
 * of a script says what it answers.
 */
#include "web/web.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHELF_FILE = 128 << 10, SHELF_MOST = 500 };

/* The scripts inside the server. */
static const struct {
	const char *name, *view, *about, *text;
} made[] = {
    {"demo: request latency", "heatmap", "Made-up requests to a shop: how long each kind takes, in microseconds.",
	"/* Made-up data, so that there is something to see: requests to a shop that\n"
	" * exists only here. Change anything and start it again.\n"
	" */\n"
	"profile-997hz\n"
	"{\n"
	"\tthis->r = rand() % 100;\n"
	"\tthis->wave = (timestamp / 1000000000) % 20 < 4 ? 6 : 1;\n"
	"\tthis->page = this->r < 60 ? \"GET /item\" : this->r < 90 ? \"GET /search\" : \"POST /order\";\n"
	"\tthis->us = this->r < 60 ? 200 + rand() % 200 :\n"
	"\t    this->r < 90 ? 900 + (rand() % 1200) * this->wave : 6000 + rand() % 9000;\n"
	"\tthis->us += rand() % 500 == 0 ? 200000 : 0;\n"
	"\t@latency[this->page] = llquantize(this->us, 10, 1, 5, 20);\n"
	"\t@requests[this->page, this->r % 7 ? \"200\" : \"404\"] = count();\n"
	"\t@cpu[\"shop\", this->page, this->r % 3 ? \"db:query\" : \"template:render\", this->r % 2 ? \"tcp:send\" : \"json:encode\"] =\n"
	"\t    sum(this->us);\n"
	"}\n"
	"\n"
	"tick-1s\n"
	"{\n"
	"\tprintf(\"%d seconds of made-up requests\\n\", ++n);\n"
	"}\n"},
    {"demo: a flame", "flame", "Made-up stacks, as a profiler would give them.",
	"profile-997hz\n"
	"{\n"
	"\tthis->r = rand() % 10;\n"
	"\t@[\"init\", this->r < 7 ? \"shop_web:request/1\" : \"shop_stock:count/2\",\n"
	"\t    this->r < 4 ? \"shop_db:query/2\" : \"lists:sort/1\", this->r % 2 ? \"gen_tcp:recv/2\" : \"binary:split/2\"] = count();\n"
	"}\n"},
    {"demo: log", "log", "What printf() says, a few lines a second.",
	"tick-200ms\n"
	"{\n"
	"\tprintf(\"request %d took %d us\\n\", ++n, rand() % 1000);\n"
	"}\n"},
    {"message latency", "heatmap", "How long from sending a message until its receiver runs, in microseconds.",
	"/* not to the alias of a caller, by which it is answered: nothing is ever scheduled there */\n"
	"erlang*:::message-send\n"
	"/index(copyinstr(arg1), \"<\") == 0/\n"
	"{\n"
	"\tsent[copyinstr(arg1)] = timestamp;\n"
	"}\n"
	"\n"
	"erlang*:::process-scheduled\n"
	"/sent[copyinstr(arg0)]/\n"
	"{\n"
	"\t@[\"sent to scheduled, us\"] = llquantize((timestamp - sent[copyinstr(arg0)]) / 1000, 10, 0, 5, 20);\n"
	"\tsent[copyinstr(arg0)] = 0;\n"
	"}\n"
	"\n"
	"erlang*:::process-exit\n"
	"{\n"
	"\tsent[copyinstr(arg0)] = 0;\n"
	"}\n"},
    {"messages", "list", "Who sends messages to whom.",
	"erlang*:::message-send\n"
	"{\n"
	"\tthis->to = copyinstr(arg1);\n"
	"\t@[copyinstr(arg0), index(this->to, \"#Ref<\") == 0 ? \"the alias of a caller\" : this->to] = count();\n"
	"}\n"},
};

static char *
join_lines(const char *at, size_t n)
{
	struct sbuf b = {0};
	bool gap = false;
	for (size_t i = 0; i < n; i++) {
		if (strchr(" \t\n*", at[i])) {
			gap = b.len > 0;
			continue;
		}
		if (gap)
			sb_addc(&b, ' ');
		gap = false;
		sb_addc(&b, at[i]);
	}
	sb_addc(&b, '\0');
	return sb_take(&b);
}

/* Returns the first paragraph of the first comment. */
static char *
about_of(const char *text)
{
	const char *from = strstr(text, "/*"), *to = from ? strstr(from, "*/") : NULL;
	if (!to)
		return strdup("");
	from += 2;
	const char *blank = strstr(from, "\n *\n");
	if (blank && blank < to && blank > from + 3)
		to = blank;
	return join_lines(from, (size_t)(to - from));
}

static bool
put(struct shelf *s, struct et *h, const char *name, const char *view, char *about, char *text)
{
	struct ready_script *at = realloc(s->at, (s->n + 1) * sizeof *at);
	char *copy = strdup(name);
	if (at)
		s->at = at;
	if (!at || !copy || !about || !text) {
		free(copy);
		free(about);
		free(text);
		return false;
	}
	enum et_where where = et_program_where(h, text, name, ET_PROBESPEC_NAME, 0, 0, NULL);
	s->at[s->n++] = (struct ready_script){
	    copy, about, text, view, (where & ET_WHERE_NODE) != 0, (where & ET_WHERE_KERNEL) != 0};
	return true;
}

static char *
read_file(const char *path)
{
	FILE *fp = fopen(path, "re");
	char *text = fp ? malloc(SHELF_FILE + 1) : NULL;
	size_t n = text ? fread(text, 1, SHELF_FILE + 1, fp) : 0;
	bool usable = text && n <= SHELF_FILE && !ferror(fp) && !memchr(text, 0, n);
	if (fp)
		fclose(fp);
	if (!usable) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

static bool
has_distribution(const char *text)
{
	for (enum et_aggfn fn = ET_AGG_COUNT; *et_agg_name(fn); fn++) {
		char call[32];
		snprintf(call, sizeof call, "%s(", et_agg_name(fn));
		if (et_agg_kind(fn) == ET_AGGKIND_DISTRIBUTION && strstr(text, call))
			return true;
	}
	return false;
}

/* Chooses the view that shows it best, by the functions it uses. */
static const char *
view_of(const char *text)
{
	return strstr(text, "@waterfall[") ? "waterfall"
	       : has_distribution(text)    ? "heatmap"
	       : strstr(text, "stack()]")  ? "flame"
	       : strstr(text, "@")         ? "list"
					   : "log";
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
read_folder(struct shelf *s, struct et *h, const char *folder, DIR *d)
{
	char *names[SHELF_MOST];
	unsigned n = 0;
	bool ok = true;
	for (struct dirent *e = readdir(d); e && n < SHELF_MOST; e = readdir(d)) {
		size_t len = strlen(e->d_name);
		if (len > 2 && e->d_name[0] != '.' && strcmp(e->d_name + len - 2, ".d") == 0 &&
		    !(names[n++] = strdup(e->d_name)))
			n--;
	}
	qsort(names, n, sizeof *names, by_name);
	for (unsigned i = 0; i < n; i++) {
		struct sbuf path = {0};
		sb_printf(&path, "%s/%s", folder, names[i]);
		char *text = path.failed ? NULL : read_file(path.at);
		/* scripts that need the preprocessor, or the command's own sums, are only for the command */
		if (text && !strstr(text, " -C") && !strstr(text, " * @pairs\n"))
			ok = ok && put(s, h, names[i], view_of(text), about_of(text), text);
		else
			free(text);
		sb_free(&path);
		free(names[i]);
	}
	return ok;
}

/* Returns the folder of the scripts that came with the command, installed or not yet, on the heap. Returns NULL if
 * it is missing. */
static char *
own_folder(void)
{
	static const char *const places[] = {
	    "/../share/erltrace/scripts", "/../scripts", "/../../../../share/erltrace/scripts"};
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	char *slash = n > 0 ? (exe[n] = '\0', strrchr(exe, '/')) : NULL;
	if (slash)
		*slash = '\0';
	for (unsigned i = 0; slash && i < sizeof places / sizeof *places; i++) {
		struct sbuf path = {0};
		sb_adds(&path, exe);
		sb_adds(&path, places[i]);
		if (!path.failed && access(path.at, R_OK | X_OK) == 0)
			return sb_take(&path);
		sb_free(&path);
	}
	return NULL;
}

static bool
fill(struct shelf *s, struct et *h, const char *folder, int *unread)
{
	for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
		if (!put(s, h, made[i].name, made[i].view, strdup(made[i].about), strdup(made[i].text)))
			return false;
	char *own = folder ? NULL : own_folder();
	if (own)
		folder = own;
	if (!folder)
		return true;
	DIR *d = opendir(folder);
	*unread = d ? 0 : errno;
	bool ok = !d || read_folder(s, h, folder, d);
	if (d)
		closedir(d);
	free(own);
	return ok;
}

bool
shelf_fill(struct shelf *s, const char *folder, int *unread)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err); /* only to find out what the scripts need */
	bool ok = h && fill(s, h, folder, unread);
	et_close(h);
	return ok;
}

void
shelf_free(struct shelf *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		free(s->at[i].name);
		free(s->at[i].about);
		free(s->at[i].text);
	}
	free(s->at);
	*s = (struct shelf){0};
}

void
shelf_json(const struct shelf *s, struct sbuf *b)
{
	sb_addc(b, '[');
	for (unsigned i = 0; i < s->n; i++) {
		const struct ready_script *p = &s->at[i];
		sb_adds(b, i ? ",{\"name\":" : "{\"name\":");
		web_text(b, p->name, strlen(p->name));
		sb_adds(b, ",\"about\":");
		web_text(b, p->about, strlen(p->about));
		sb_adds(b, ",\"text\":");
		web_text(b, p->text, strlen(p->text));
		sb_printf(b, ",\"view\":\"%s\",\"node\":%s,\"kernel\":%s}", p->view, p->needs_node ? "true" : "false",
		    p->needs_kernel ? "true" : "false");
	}
	sb_addc(b, ']');
}
