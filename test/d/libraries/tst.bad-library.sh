# Asserts that an error in a library names its file.

mkdir lib; echo 'inline int = ;' >lib/broken.d
$ERLTRACE -L lib -qn 'BEGIN { exit(0); }' 2>&1 | grep -c broken.d
true
