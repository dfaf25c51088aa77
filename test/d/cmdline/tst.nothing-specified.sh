# Asserts that options without a program are an error.

$ERLTRACE -q >/dev/null 2>err; echo $?
grep -c "no probes specified" err
true
