/*
 * The built page (ui/build.mjs) inside the program. WEB_DIST is the folder of its files, compressed with gzip.
 */
#include "web/web.h"

#include <string.h>

#define CARRY(name, file) \
	__asm__(".section .rodata\n.balign 16\n.global web_" #name "\n.hidden web_" #name "\nweb_" #name \
		":\n.incbin \"" WEB_DIST "/" file "\"\n.global web_" #name "_end\n.hidden web_" #name \
		"_end\nweb_" #name "_end:\n.byte 0\n.previous\n"); \
	extern const unsigned char web_##name[], web_##name##_end[]

CARRY(index, "index.html.gz");
CARRY(script, "app.js.gz");
CARRY(style, "app.css.gz");
CARRY(icon, "icon.svg.gz");

const struct asset *
asset_find(const char *path)
{
	static const struct asset all[] = {
	    {"/index.html", "text/html; charset=utf-8", web_index, web_index_end},
	    {"/app.js", "text/javascript; charset=utf-8", web_script, web_script_end},
	    {"/app.css", "text/css; charset=utf-8", web_style, web_style_end},
	    {"/icon.svg", "image/svg+xml", web_icon, web_icon_end},
	};
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i].path, path) == 0)
			return &all[i];
	return NULL;
}
