/* Text in JSON, by the same rules as --json. */
#include "web/web.h"
#include "consume/text.h"

void
web_text(struct sbuf *b, const char *text, size_t n)
{
	json_quote(b, text, n);
}
