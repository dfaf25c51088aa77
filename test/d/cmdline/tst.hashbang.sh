# Asserts that a script runs by its #! line.

printf '#!%s -qs\n\nBEGIN { printf("script\\n"); exit(0); }\n' "$ERLTRACE" >a.d
chmod +x a.d
./a.d
