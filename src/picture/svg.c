/* Text, numbers and names in SVG, and the page around the panels. Everything from a traced system is text: escaped,
 * valid UTF-8, and without characters that XML forbids. */
#include "picture/picture.h"

#include "base/tame.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* XML forbids control characters, U+FFFE and U+FFFF. */
static bool
is_forbidden(const unsigned char *s, size_t len)
{
	return len == 0 || (len == 1 && (s[0] < 0x20 || s[0] == 0x7f)) || (len == 2 && s[0] == 0xc2 && s[1] < 0xa0) ||
	       (len == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
}

void
svg_text(struct sbuf *b, const char *text, size_t n, size_t most)
{
	const unsigned char *s = (const unsigned char *)text;
	for (size_t i = 0, shown = 0; i < n; shown++) {
		size_t len = utf8_len(s + i, n - i);
		if (shown == most) {
			sb_adds(b, "\xe2\x80\xa6");
			return;
		}
		if (s[i] == '\n' || s[i] == '\t' || s[i] == '\r')
			sb_addc(b, ' ');
		else if (is_forbidden(s + i, len))
			sb_adds(b, "\xef\xbf\xbd");
		else if (s[i] == '&')
			sb_adds(b, "&amp;");
		else if (s[i] == '<')
			sb_adds(b, "&lt;");
		else if (s[i] == '>')
			sb_adds(b, "&gt;");
		else if (s[i] == '"')
			sb_adds(b, "&quot;");
		else
			sb_add(b, text + i, len);
		i += len ? len : 1;
	}
}

void
svg_number(struct sbuf *b, double v)
{
	static const char units[] = "kMGTPE";
	int u = -1;
	double n = fabs(v);
	while (n >= 10000 || (u >= 0 && n >= 1000)) {
		n /= 1000;
		u++;
	}
	if (u < 0)
		sb_printf(b, "%.0f", v);
	else
		sb_printf(
		    b, n >= 100 || fabs(n - round(n)) < 0.05 ? "%s%.0f%c" : "%s%.1f%c", v < 0 ? "-" : "", n, units[u]);
}

void
svg_key(struct sbuf *b, struct et *h, const struct et_value *v)
{
	char *text = et_value_text(h, v);
	b->failed |= !text;
	sb_adds(b, text ? text : "");
	free(text);
}

void
svg_keys(struct sbuf *b, struct et *h, const struct et_aggdata *a)
{
	for (unsigned i = 0; i < a->nkeys; i++) {
		if (i)
			sb_adds(b, ", ");
		svg_key(b, h, &a->keys[i]);
	}
}

static const char style[] =
    "<style>text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#24292f}.m{fill:#57606a;font-size:11px}.h{font-size:15px;font-weight:600}"
    ".r{text-anchor:end}.c{text-anchor:middle}.f text{font:11px ui-monospace,monospace;fill:#1b1b1b}.f rect{stroke:#fff;stroke-width:.5}"
    "path{shape-rendering:crispEdges}.g{stroke:#d0d7de;stroke-width:1;fill:none}</style>\n";

void
svg_page(struct sbuf *b, const char *title, const struct sbuf *body, unsigned y)
{
	sb_printf(b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\" role=\"img\">\n<title>",
	    SVG_WIDTH, y + 16, SVG_WIDTH, y + 16);
	svg_text(b, title, strlen(title), PIC_NAME);
	sb_printf(b,
	    "</title>\n%s<rect width=\"%d\" height=\"%u\" fill=\"#fff\"/>\n<text class=\"h\" x=\"%d\" y=\"26\">", style,
	    SVG_WIDTH, y + 16, SVG_MARGIN);
	svg_text(b, title, strlen(title), 100);
	sb_adds(b, "</text>\n");
	if (body->len)
		sb_add(b, body->at, body->len);
	sb_adds(b, "</svg>\n");
}

bool
picture_draw(const struct picture *p, struct et *h, const char *title, struct sbuf *b, unsigned *panels)
{
	struct sbuf body = {0};
	unsigned y = 40;
	struct flame *f = flame_new();
	bool ok = f && !p->failed;
	*panels = 0;
	for (unsigned i = 0; ok && i < p->naggs; i++)
		for (unsigned k = 0; k < p->aggs[i].nkeys; k++)
			if (p->aggs[i].keys[k].total) {
				heatmap_draw(p, &p->aggs[i], &p->aggs[i].keys[k], &body, &y);
				++*panels;
			}
	*panels += ok ? waterfall_draw(p, &body, &y) : 0;
	ok = ok && flame_take(f, h);
	if (ok)
		*panels += flame_draw(f, &body, &y);
	flame_free(f);
	if (p->left_out) {
		y += 18;
		sb_printf(&body,
		    "<text class=\"m\" x=\"%d\" y=\"%u\">Only the first %d distributions are drawn.</text>\n",
		    SVG_MARGIN, y, PIC_AGGS);
	}
	svg_page(b, title, &body, y);
	ok = ok && !b->failed && !body.failed;
	sb_free(&body);
	return ok;
}
