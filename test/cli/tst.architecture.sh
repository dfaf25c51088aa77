# Every path, function and table that docs/architecture.md names exists. A function of a row of a table is in the file
# that the row begins with.
top=$(cd "$srcdir/../.." && pwd) page=$top/docs/architecture.md
cd "$top" || exit 1
words() { grep -o '`[^`]*`' | tr -d '`'; }

# defines NAME FILE…: C has it at the beginning of a line, Erlang too; JavaScript is not looked at
defines() {
	name=$1
	shift
	grep -qE -e "^([A-Za-z_].*[ *])?$name\(" "$@"
}

words <"$page" | grep -E '^(src|otp|include|ui|test|bench|fuzz|docs|scripts)(/[A-Za-z0-9_.-]+)*/?$' | sort -u >"$OLDPWD/paths"
[ "$(wc -l <"$OLDPWD/paths")" -gt 80 ] || echo 'the paths were not found'
while read -r path; do
	[ -e "$path" ] || echo "there is no $path"
done <"$OLDPWD/paths"

# rows: | `file` | `one()`, `two()` | …
sed -n 's/^| `\([^`]*\.[a-z]*\)` | \([^|]*\) |.*/\1 \2/p' "$page" | sed 's/[`,]//g' >"$OLDPWD/rows"
[ "$(wc -l <"$OLDPWD/rows")" -gt 50 ] || echo 'the rows were not found'
while read -r file names; do
	for name in $names; do
		case $name in
		*'()') [ -f "$file" ] && ! defines "${name%??}" "$file" && echo "$file has no $name" ;;
		esac
	done
done <"$OLDPWD/rows"

# anywhere else
find src include otp/erltrace/src otp/erltrace/c_src test/unit \( -name '*.[ch]' -o -name '*.erl' \) |
	xargs grep -hE '^[A-Za-z_]' | grep -oE '(^|[ *])[a-z_0-9]+\(' | tr -d ' *(' | sort -u >"$OLDPWD/defined"
words <"$page" | grep -E '^[a-z_0-9]+\(\)$' | tr -d '()' | sort -u >"$OLDPWD/functions"
[ "$(wc -l <"$OLDPWD/functions")" -gt 100 ] || echo 'the functions were not found'
comm -23 "$OLDPWD/functions" "$OLDPWD/defined" | sed 's/.*/there is no &()/'

# tables of facts: | fact | `file` | `TABLE`, `TABLE` |
sed -n 's/^| [^|`]* | `\([^`]*\.h\)` | \([^|]*\) |$/\1 \2/p' "$page" | sed 's/[`,]//g' >"$OLDPWD/tables"
[ "$(wc -l <"$OLDPWD/tables")" -gt 10 ] || echo 'the tables were not found'
while read -r file names; do
	for name in $names; do
		grep -qE "^#define $name\(" "$file" || echo "$file has no table $name"
	done
done <"$OLDPWD/tables"
# rooms: | `folder` | what it may include | as test/rooms.sh has it
sed -n 's/^| `\([a-z_/]*\)` | *\([a-z_/ ]*\) *| .*/\1:\2/p' "$page" | sed 's/^src\///; s/ *$//; s/:$//; s/:/: /' >"$OLDPWD/rooms"
[ "$(wc -l <"$OLDPWD/rooms")" -gt 15 ] || echo 'the rooms were not found'
while read -r line; do
	grep -qxF "$line" test/rooms.sh || echo "test/rooms.sh does not say: $line"
done <"$OLDPWD/rooms"
echo done
