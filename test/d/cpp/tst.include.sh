# Asserts that #include finds a file beside the script.

mkdir sub; echo '#define V 5' >sub/v.h
printf '#include "v.h"\nBEGIN { printf("%%d\\n", V); exit(0); }\n' >sub/a.d
$ERLTRACE -C -qs sub/a.d
