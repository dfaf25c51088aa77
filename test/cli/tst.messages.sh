# Errors about the command line say what is wrong, where, and what to write instead. A command line that is not
# understood has status 2.
t() {
	"$ERLTRACE" "$@" </dev/null 2>&1
	echo "= $?"
}
t -x bufsiz=4k -n BEGIN
t -x bufsize=4q -n BEGIN
t -x bufsize -n BEGIN
t -b 1e9 -n BEGIN
t -x strsize=0 -n BEGIN
t -x aggrate=often -n BEGIN
t -x quiet=maybe -n BEGIN
t -x nspec=-3 -n BEGIN
t -x bufpolicy=drop -n BEGIN
t -x engine=steam -n BEGIN
t -X q -n BEGIN
t -x strsize=100t -qn 'BEGIN { exit(0); }'
t -n 'BEGIN { x }' -n 'BEGIN { @ }'
printf '#pragma D option switchrate=soon\nBEGIN\n{\n\tnosuch;\n}\n' >x.d
t -s x.d
t -xerrtags -s nosuch.d
t -s .
t -y
t -n
t -A
t --bad
t --compile-only -n BEGIN
t -lV
t -i abc
t -p abc -n BEGIN
t -c '' -n BEGIN
t -o . -qn 'BEGIN { exit(0); }'
t -o nosuch/out -qn 'BEGIN { exit(0); }'
