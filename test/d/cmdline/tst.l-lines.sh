# Asserts the lines of -l for the probes that every program has.

$ERLTRACE -l | sed -n 2,4p
