# Asserts that -l of a description that matches nothing prints the header and a message, and nothing else.

$ERLTRACE -ln 'nosuch:::' 2>err | awk '{ print $NF }'
cat err
