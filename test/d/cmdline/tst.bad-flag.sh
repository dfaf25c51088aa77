# Asserts that an unknown flag is named, with status 2, and where the options are shown.

$ERLTRACE -y -n BEGIN 2>&1; echo $?
