# Asserts that cpppath names the preprocessor.

printf '%s\n' '#!/bin/sh' "cat <<'X'" 'BEGIN { printf("mine\n"); exit(0); }' X >mycpp; chmod +x mycpp
echo 'x' >a.d
$ERLTRACE -C -xcpppath=$PWD/mycpp -qs a.d
