# Errors of the command line say what and where.
"$ERLTRACE" -x bufsiz=4k -n BEGIN 2>&1 | head -n 1 | cut -c 1-33
"$ERLTRACE" -n 'BEGIN { x }' -n 'BEGIN { @ }' 2>&1 | head -n 1 | cut -c 1-47
printf 'BEGIN\n{\n\tnosuch;\n}\n' >x.d
"$ERLTRACE" -s x.d 2>&1 | head -n 1 | cut -c 1-40
"$ERLTRACE" -s nosuch.d 2>&1
"$ERLTRACE" -y 2>&1 | head -n 2 | cut -c 1-30
"$ERLTRACE" -n 2>&1 | head -n 1
"$ERLTRACE" -A 2>&1 | cut -c 1-40
"$ERLTRACE" --bad 2>&1 | head -n 1
