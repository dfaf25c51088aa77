/* again NODE COOKIE N: one program attaches N times, each time as soon as it has detached. Prints how often that
 * failed, and why. */
#include "erltrace.h"

#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	int err, failed = 0;
	for (int i = 0; argc == 4 && i < atoi(argv[3]); i++) {
		struct et *h = et_open(ET_VERSION, &err);
		if (!h)
			return 1;
		if (et_attach(h, argv[1], argv[2]) != 0) {
			fprintf(stderr, "%s\n", et_errmsg(h, et_errno(h)));
			failed++;
		}
		et_close(h);
	}
	printf("%d failed\n", failed);
	return 0;
}
