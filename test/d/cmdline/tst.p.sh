# Asserts that -p gives $target and ends when the process ends.

sleep 1 &
p=$!
$ERLTRACE -q -p $p -n 'BEGIN { printf("%d\n", $target == $1); }' $p; echo $?
