/*
 * Rows of a benchmark: printed as a table, and added to the file that $BENCH_JSON names, one JSON object a line.
 * bench/report.sh makes one table and one JSON file of the rows of all benchmarks.
 */
#ifndef ET_BENCH_REPORT_H
#define ET_BENCH_REPORT_H

#include <stdio.h>
#include <stdlib.h>

/* Names have no quotes and no backslashes. `base` is what the ratio is to; ratio 0 if there is none. */
static inline void
report_json(const char *bench, const char *what, const char *unit, double value, const char *base, double ratio)
{
	const char *path = getenv("BENCH_JSON");
	FILE *f = path && *path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "{\"bench\":\"%s\",\"what\":\"%s\",\"value\":%.1f,\"unit\":\"%s\"", bench, what, value, unit);
	if (ratio > 0)
		fprintf(f, ",\"ratio\":%.2f,\"to\":\"%s\"", ratio, base);
	fprintf(f, "}\n");
	fclose(f);
}

#endif
