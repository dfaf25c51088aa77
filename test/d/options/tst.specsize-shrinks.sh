# A specsize that no machine has is made smaller with bufresize=auto, as other sizes are, and speculation works.
[ "$SAN" != thread ] || { echo "TSan gives the memory, and takes its time for it" >&2; exit 67; }
"$ERLTRACE" -q -xspecsize=100t -xbufresize=auto -n 'BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); printf("said\n"); } BEGIN { commit(self->s); } tick-10ms { exit(0); }' 2>&1 | grep -v 'Sanitizer failed to allocate' | awk NF
