# Asserts that -I adds a folder to search.

mkdir inc; echo '#define V 6' >inc/v.h
printf '#include <v.h>\nBEGIN { printf("%%d\\n", V); exit(0); }\n' >a.d
$ERLTRACE -C -I inc -qs a.d
