#include "alert/parts.h"

#include "base/sbuf.h"
#include "show/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const levels[] = {"info", "warning", "error", "critical"};

/* "[critical checkout] slow": takes level and key off the text. Returns what follows. */
static const char *
take_prefix(const char *text, const char **level, char *key, size_t size)
{
	const char *end = *text == '[' ? strchr(text, ']') : NULL;
	if (!end)
		return text;
	const char *at = text + 1;
	size_t word = strcspn(at, " ]");
	bool has_level = false;
	for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strlen(levels[i]) == word && strncmp(levels[i], at, word) == 0) {
			*level = levels[i];
			has_level = true;
		}
	if (has_level)
		at += word;
	while (*at == ' ')
		at++;
	if (at < end)
		snprintf(key, size, "%.*s", (int)(end - at), at);
	end++;
	return end + strspn(end, " ");
}

static char *
values_json(struct et *h, const struct et_alertdata *from)
{
	struct sbuf b = {0};
	sb_addc(&b, '[');
	for (unsigned i = 0; i < from->nvalues; i++) {
		char *text = et_value_text(h, &from->values[i]);
		if (i)
			sb_addc(&b, ',');
		if (from->values[i].kind == ET_K_INT && text)
			sb_adds(&b, text);
		else
			json_quote(&b, text ? text : "", text ? strnlen(text, ALERT_TEXT) : 0);
		free(text);
	}
	if (from->condition)
		sb_printf(&b, "%s%lld", from->nvalues ? "," : "", (long long)from->value);
	sb_addc(&b, ']');
	return sb_take(&b);
}

static unsigned
conversions(const char *from, const char *to)
{
	unsigned n = 0;
	for (const char *p = from; p < to; p++)
		n += *p == '%';
	return n;
}

/* What tells this alert from others of the script. `key` is what its text has in brackets. */
static char *
key_of(struct et *h, const struct et_alertdata *from, const char *key)
{
	struct sbuf b = {0};
	const char *format = from->format ? from->format : "", *end = *format == '[' ? strchr(format, ']') : NULL;
	if (!from->condition) {
		sb_add(&b, *key ? key : format, *key ? strlen(key) : strcspn(format, "\n"));
		return sb_take(&b);
	}
	sb_adds(&b, *key ? key : from->condition);
	bool has_all = *key && end && conversions(format, end) >= from->nvalues;
	for (unsigned i = 0; !has_all && i < from->nvalues && b.len < ALERT_TEXT; i++) {
		char *text = et_value_text(h, &from->values[i]);
		sb_addc(&b, ' ');
		sb_add(&b, text ? text : "", text ? strnlen(text, ALERT_TEXT) : 0);
		free(text);
	}
	return sb_take(&b);
}

bool
alert_parts(struct alert_parts *p, const char *script, const struct et_probedata *d, const struct et_alertdata *from)
{
	char key[ALERT_TEXT] = "", probe[512] = "", place[512];
	*p = (struct alert_parts){.level = levels[1]};
	const char *format = from->format ? from->format : "",
		   *text = take_prefix(from->text, &p->level, key, sizeof key);
	size_t len = strnlen(text, ALERT_TEXT);
	while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
		len--;
	if (d->probe)
		snprintf(probe, sizeof probe, "%s:%s:%s:%s", d->probe->provider, d->probe->module, d->probe->function,
		    d->probe->name);
	snprintf(place, sizeof place, "%s:%u", from->file && *from->file && *from->file != '<' ? from->file : script,
	    from->line);
	p->key = key_of(d->h, from, key);
	p->text = strndup(text, len);
	p->probe = strdup(probe);
	p->condition = strdup(from->condition ? from->condition : "");
	p->place = strdup(place);
	p->format = strndup(format, ALERT_TEXT);
	p->values = values_json(d->h, from);
	if (p->key && p->text && p->probe && p->condition && p->place && p->format && p->values)
		return true;
	alert_parts_free(p);
	return false;
}

void
alert_parts_free(struct alert_parts *p)
{
	free(p->key);
	free(p->text);
	free(p->probe);
	free(p->condition);
	free(p->place);
	free(p->format);
	free(p->values);
	*p = (struct alert_parts){0};
}
