/* See eh.h. */
#include "sym/eh.h"

#include <stdlib.h>
#include <string.h>

/* DW_EH_PE_…: what every linker writes. */
enum { VERSION = 1, UDATA4 = 0x03, SDATA4 = 0x0b, FORMAT = 0x0f, DATAREL_SDATA4 = 0x3b };

uint64_t *
eh_starts(const char *section, size_t n, uint64_t addr, size_t *count)
{
	const unsigned char *h = (const unsigned char *)section;
	uint32_t rows;
	/* version and three encodings, where .eh_frame is, how many rows there are, the rows */
	if (n < 12 || h[0] != VERSION || ((h[1] & FORMAT) != SDATA4 && (h[1] & FORMAT) != UDATA4) || h[2] != UDATA4 ||
	    h[3] != DATAREL_SDATA4)
		return NULL;
	memcpy(&rows, section + 8, sizeof rows);
	if (rows == 0 || rows > (n - 12) / 8)
		return NULL;
	uint64_t *starts = malloc(rows * sizeof *starts);
	for (uint32_t i = 0; starts && i < rows; i++) {
		int32_t at;
		memcpy(&at, section + 12 + 8 * (size_t)i, sizeof at);
		starts[i] = addr + (uint64_t)(int64_t)at;
		if (i && starts[i] < starts[i - 1]) {
			free(starts); /* it is for looking up: the unwinder would find nothing either */
			return NULL;
		}
	}
	*count = rows;
	return starts;
}
