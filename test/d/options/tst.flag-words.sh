# Asserts that flags take the words of DTrace; an empty value switches off.

for w in on yes true enable enabled set 1; do $ERLTRACE -x quiet=$w -n "BEGIN { exit(0); }" 2>/dev/null | grep -c FUNCTION; done | uniq
for w in off no false disable disabled unset ""; do $ERLTRACE -q -x quiet=$w -n "BEGIN { exit(0); }" 2>/dev/null | grep -c FUNCTION; done | uniq
true
