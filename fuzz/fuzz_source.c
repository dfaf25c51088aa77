/*
 * Any bytes as D source: compiling must end with an error or with an object that the verifier passes and that
 * is safe to run. The first byte chooses options; the preprocessor stays off.
 */
#include "run_object.h"

#include "gen/compile.h"
#include "lang/lang.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	unsigned how = *data++;
	size--;
	char *text = malloc(size + 1);
	for (size_t i = 0; i < size; i++)
		text[i] = (char)data[i];
	text[size] = 0;
	struct opts opts;
	opts_init(&opts);
	if (how & 1)
		opts_set(&opts, "zdefs", NULL);
	if (how & 2)
		opts_set(&opts, "defaultargs", NULL);
	if (how & 4)
		opts_set(&opts, "empty", NULL);
	struct probes *probes = probes_new();
	struct lang *lang = lang_new(&opts);
	struct unit *unit = unit_new();
	static const char *const argv[] = {"fuzz", "1", "two"};
	struct job job = {.lang = lang,
	    .unit = unit,
	    .probes = probes,
	    .opts = &opts,
	    .file = "fuzz.d",
	    .text = text,
	    .len = size,
	    .argc = how & 8 ? 3 : 1,
	    .argv = argv,
	    .target = how & 16 ? 1 : -1,
	    .pspec = how & 32   ? PS_PROVIDER
		     : how & 64 ? PS_FUNC
				: PS_NAME};
	struct compiled done = {0};
	struct diag diag = {0};
	if (et_compile(&job, &done, &diag)) {
		struct dobj o;
		struct why why;
		if (unit_object(unit, &o)) {
			if (!dobj_verify(&o, &why)) {
				fprintf(stderr, "refused: %s\n", why.text);
				abort();
			}
			fuzz_run(&o);
			dobj_free(&o);
		}
		free(done.stability);
	} else {
		free(diag_format(&diag, how & 128));
		diag_free(&diag);
	}
	unit_free(unit);
	lang_free(lang);
	probes_free(probes);
	opts_free(&opts);
	free(text);
	return 0;
}
