# Asserts that system(), freopen() and ftruncate() leave the lines of records whole.

"$ERLTRACE" --json -qwn 'BEGIN { printf("a"); system("echo from sh"); printf("b"); freopen("f"); printf("c"); }
BEGIN { printf("d"); freopen(""); }
BEGIN { printf("e"); exit(0); }' | sed 's/.*"actions"/"actions"/'
sed 's/.*"actions"/f: "actions"/' f
