# A node under random load lives on and counts right after scripts of all kinds have come and gone, most of them killed at a
# random moment, and nothing of them is left. For longer: FUZZ_SECONDS, and fuzz_long.sh.
# @@timeout: 90
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
fuzz_node
fuzz_load
fuzz_scripts "${FUZZ_SECONDS:-4}"
fuzz_end
clean_node
