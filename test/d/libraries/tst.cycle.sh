# Asserts that libraries that depend on each other are refused, not loaded forever.

mkdir lib
printf '#pragma D depends_on library b.d\n' >lib/a.d
printf '#pragma D depends_on library a.d\n' >lib/b.d
$ERLTRACE -L lib -qn 'BEGIN { exit(0); }' >/dev/null 2>err
echo $?
