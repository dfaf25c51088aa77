# wakeups.d shows every second how late timers are on each CPU, and at the end a histogram of all of them. It ends after
# the given number of seconds.
# @@timeout: 30
"$ERLTRACE" -qs "$srcdir/../../scripts/wakeups.d" 2 >out || exit
head -n 1 out
grep -c '^ *CPU *WAKE-UPS *MEAN ns *WORST ns$' out
grep -Eq '^ +[0-9]+ +[1-9][0-9]* +[0-9]+ +[0-9]+$' out && echo 'a row for a CPU'
sed -n '/^All of it:/,$p' out | grep -q 'Distribution' && echo 'a histogram'
