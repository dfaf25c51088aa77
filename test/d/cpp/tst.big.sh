# Asserts that a large script passes through the preprocessor.
#
# @@timeout: 60

awk 'BEGIN { print "BEGIN {"; for (i = 0; i < 20000; i++) print "x = " i ";"; print "printf(\"%d\\n\", x); exit(0); }" }' >a.d
$ERLTRACE -C -qs a.d
