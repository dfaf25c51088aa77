# Asserts that a program that exits in BEGIN ends at once, not at the next switch.

t=$(date +%s%N)
$ERLTRACE -q -xswitchrate=10s -xstatusrate=10s -n 'BEGIN { exit(0); }' >/dev/null
echo $((($(date +%s%N) - t) / 1000000000))
