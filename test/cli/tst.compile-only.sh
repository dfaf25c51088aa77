# -e compiles and stops: nothing runs. -S shows the code on standard error.
"$ERLTRACE" -e -n 'BEGIN { printf("ran\n"); }' 2>&1
echo "status $?"
"$ERLTRACE" -e -n 'BEGIN { nosuch; }' >/dev/null 2>&1
echo "status $?"
"$ERLTRACE" -Se -n 'BEGIN { x = 1; }' 2>dif
[ -s dif ] && echo code
# A device that takes no more is not removed for that; a file with half an object is.
ln -s /dev/full full
"$ERLTRACE" --compile-only -o full -n 'BEGIN { }' 2>/dev/null
echo "status $?"
[ -L full ] && echo "still there"
