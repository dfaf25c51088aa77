# Asserts the header of -l, to the column.

$ERLTRACE -l | head -1
