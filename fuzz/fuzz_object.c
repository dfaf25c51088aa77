/* Any bytes as a D object: reading, verifying and running them must be safe. */
#include "run_object.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dobj o;
	struct why why;
	if (!dobj_read(&o, data, size, &why))
		return 0;
	if (dobj_verify(&o, &why)) {
		void *bytes;
		size_t len;
		if (dobj_write(&o, &bytes, &len)) {
			if (len != size)
				abort();
			free(bytes);
		}
		fuzz_run(&o);
	}
	dobj_free(&o);
	return 0;
}
