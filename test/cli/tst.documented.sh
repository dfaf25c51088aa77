# Every option of -x is in docs/options.md and in the manual page, every flag of --help in the manual page.
top=$srcdir/../..
sed -n 's/^	X([A-Z0-9_]*, "\([a-z0-9]*\)", OK_.*/\1/p' "$top/src/base/opts.h" >names
sed -n 's/.*F(X, [A-Z0-9_]*, \([a-z0-9]*\), ".*/\1/p' "$top/src/base/outputs.h" >outputs
grep -qx json outputs || { echo 'the list of outputs was not found'; exit 1; }
cat outputs >>names
[ "$(wc -l <names)" -gt 80 ] || { echo 'the table of options was not found'; exit 1; }
sed -n 's/^| \([^|]*\) |.*/\1/p' "$top/docs/options.md" | tr -s ', ' '\n' >in_docs
sed -n 's/^\.BR* "\([^"]*\)".*/\1/p' "$top/docs/erltrace.1" | tr -s ', ' '\n' >in_man
while read -r o; do
	grep -qx "$o" in_docs || echo "docs/options.md lacks $o"
	grep -qx "$o" in_man || echo "the manual page lacks $o"
	for f in erltrace.bash _erltrace; do
		grep -qx "$o" outputs || tr -s ' \t()\047' '\n' <"$top/completions/$f" | grep -qx "$o" || echo "completions/$f lacks -x $o"
	done
done <names
# one screen, and what is in it
"$ERLTRACE" --help >help
[ "$(wc -l <help)" -le 45 ] || echo "--help has $(wc -l <help) lines: more than a screen"
awk 'length($0) > 120' help
grep -Eo -e '(^| |\[)--?[A-Za-z][a-z-]*' help | tr -d ' [' | sort -u >flags
[ "$(wc -l <flags)" -gt 40 ] || { echo 'the flags of --help were not found'; exit 1; }
while read -r f; do
	grep -qF -- "$(echo "$f" | sed 's/-/\\-/g')" "$top/docs/erltrace.1" || echo "the manual page lacks $f"
	grep -qF -e "'$f" -e "'*$f" -e "$f" "$top/completions/_erltrace" || echo "the completion of zsh lacks $f"
	grep -qF -e " $f" -e "'$f" "$top/completions/erltrace.bash" || echo "the completion of bash lacks $f"
done <flags
# all that the command takes is in its help
sed -n 's/^    {"\([a-z-]*\)", L_.*/--\1/p' "$top/src/cli/options.c" >longs
[ "$(wc -l <longs)" -gt 10 ] || echo 'the long options were not found'
sed 's/^/--/' outputs >>longs
echo bcDfiILmnNopPsUxXCeFHlqSvVwZ | sed 's/./-&\n/g' | grep . >>longs
while read -r f; do
	grep -qx -e "$f" flags || echo "--help lacks $f"
done <longs
echo done
