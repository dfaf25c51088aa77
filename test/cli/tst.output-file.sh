# -o appends to the file, and nothing goes to standard output.
"$ERLTRACE" -q -o out.txt -n 'BEGIN { printf("one\n"); exit(0); }'
"$ERLTRACE" -q -o out.txt -n 'BEGIN { printf("two\n"); exit(0); }'
cat out.txt
"$ERLTRACE" -q -o /nonexistent/out.txt -n 'BEGIN { exit(0); }' 2>&1
echo "status $?"
