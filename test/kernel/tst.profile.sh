# Asserts that profile-N samples what runs, at the given rate, and where.
. "$srcdir/common.sh"
# @@alone
$K -n 'profile-199 /pid == $target && arg1 != 0/ { @ = count(); }' -c './workload spin 1000' 2>/dev/null |
    awk 'NF { print ($1 > 20 && $1 <= 210) }'
