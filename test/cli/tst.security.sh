# Every test that docs/security.md names exists: its file, the functions that it names in brackets, and the tests of the
# page that it quotes. Every row of its tables of threats names one, unless it says that nothing holds or that no such
# thing exists.
top=$(cd "$srcdir/../.." && pwd) page=$top/docs/security.md
cd "$top" || exit 1

grep -o '`[a-z]*/[A-Za-z0-9_*.-]*\.\(sh\|c\|mjs\)`' "$page" | tr -d '`' | grep -v '^src/' | sort -u >"$OLDPWD/files"
[ "$(wc -l <"$OLDPWD/files")" -gt 50 ] || echo 'the files were not found'
while read -r file; do
	case $file in fuzz/*) ;; *) file=test/$file ;; esac
	ls $file >/dev/null 2>&1 || echo "there is no $file"
done <"$OLDPWD/files"

# `unit/file.c` (one, two)
grep -o '`unit/[a-z_]*\.c` ([a-z_, ]*)' "$page" | tr -d '`(),' >"$OLDPWD/functions"
[ "$(wc -l <"$OLDPWD/functions")" -gt 3 ] || echo 'the functions were not found'
while read -r file names; do
	for name in $names; do
		grep -q -E "^(test_)?$name\(" "test/$file" || echo "test/$file has no $name()"
	done
done <"$OLDPWD/functions"

# The tests of the page are quoted by their beginning, in the last column.
grep '^|' "$page" | sed 's/ |$//; s/.* | //' | grep -v 'What root reads' | grep -o '"[^"]*"' | tr -d '"' | sed 's/ *…$//; s/^states: //' | sort -u >"$OLDPWD/quoted"
[ "$(wc -l <"$OLDPWD/quoted")" -gt 20 ] || echo 'the quoted tests were not found'
while read -r name; do
	grep -rqF -e "$name" test/web || echo "no test of the page is called $name"
done <"$OLDPWD/quoted"

# | threat | what holds | test |
awk '/^\| threat / { on = 1; getline; next } !/^\|/ { on = 0 } on' "$page" >"$OLDPWD/threats"
[ "$(wc -l <"$OLDPWD/threats")" -gt 60 ] || echo 'the threats were not found'
grep ' | *|$' "$OLDPWD/threats" | grep -v -e '| nothing: ' -e '| there is no ' | sed 's/^| \([^|]*\) |.*/no test: \1/'
