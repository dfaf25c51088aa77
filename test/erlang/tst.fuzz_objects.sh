# No D object and no request, in any order, harms the node: objects are changed at random, several processes use the
# same handles, owners die. FUZZ_SECONDS and fuzz_long.sh make the test longer.
# @@timeout: 90
. "$srcdir/lib.sh"
. "$srcdir/fuzz.sh"
fuzz_node -pa "$BUILD/otp/erltrace/ebin"
fuzz_compile
fuzz_load
fuzz_api "${FUZZ_SECONDS:-3}"
fuzz_agent "${FUZZ_SECONDS:-3}"
fuzz_end
