# Asserts that -l of a description that matches nothing prints the header and a message.

$ERLTRACE -ln 'nosuch:::' 2>err | awk '{ print $NF }'
grep -c . err
true
