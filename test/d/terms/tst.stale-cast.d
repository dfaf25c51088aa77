/* A number cast to a term is none: its text cannot be read. */
#pragma D option quiet
BEGIN { printf("%s\n", copyinstr((uintptr_t)0xe707000000010000)); }
BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4); }
