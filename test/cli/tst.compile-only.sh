# -e compiles and stops: nothing runs. -S shows the code on standard error.
"$ERLTRACE" -e -n 'BEGIN { printf("ran\n"); }' 2>&1
echo "status $?"
"$ERLTRACE" -e -n 'BEGIN { nosuch; }' >/dev/null 2>&1
echo "status $?"
"$ERLTRACE" -Se -n 'BEGIN { x = 1; }' 2>dif
[ -s dif ] && echo code
