# Asserts that profile-N samples what runs, at the given rate, and where.
. "$srcdir/common.sh"
# @@alone
# A second of the CPU's time, much of it in clock_gettime(), so not all of it in the program.
$K -n 'profile-199 /pid == $target/ { @n = count(); @u = sum(arg1 != 0); } END { printa("%@d ", @n); printa("%@d\n", @u); }' \
    -c './workload burn 1000' 2>/dev/null | awk 'NF == 2 { print ($1 > 120 && $1 < 280 && $2 > 0) }'
