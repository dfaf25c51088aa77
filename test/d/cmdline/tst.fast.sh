# Asserts that a program that exits in BEGIN ends at once, not at the next switch, which would be in a minute.
# @@timeout: 30

t=$(date +%s%N)
$ERLTRACE -q -xswitchrate=60s -xstatusrate=60s -n 'BEGIN { exit(0); }' >/dev/null
echo $((($(date +%s%N) - t) / 10000000000))
