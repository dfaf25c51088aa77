# A node under random load survives and counts correctly after scripts of all kinds were started and ended, most of them
# killed at a random moment, and nothing of them is left. FUZZ_SECONDS and fuzz_long.sh make the test longer.
# @@timeout: 90
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
fuzz_node
fuzz_load
fuzz_scripts "${FUZZ_SECONDS:-4}"
fuzz_end
clean_node attaching
