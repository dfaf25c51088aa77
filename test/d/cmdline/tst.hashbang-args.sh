# Asserts that a #! script gets its arguments.

printf '#!%s -qs\n\nBEGIN { printf("%%s\\n", $$1); exit(0); }\n' "$ERLTRACE" >a.d
chmod +x a.d
./a.d word
