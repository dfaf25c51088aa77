# Every option of -x is in docs/options.md and in the manual page, every flag of --help in the manual page.
top=$srcdir/../..
sed -n 's/^	X([A-Z0-9_]*, "\([a-z0-9]*\)", OK_.*/\1/p' "$top/src/base/opts.h" >names
[ "$(wc -l <names)" -gt 80 ] || { echo 'the table of options was not found'; exit 1; }
sed -n 's/^| \([^|]*\) |.*/\1/p' "$top/docs/options.md" | tr -s ', ' '\n' >in_docs
sed -n 's/^\.BR* "\([^"]*\)".*/\1/p' "$top/docs/erltrace.1" | tr -s ', ' '\n' >in_man
while read -r o; do
	grep -qx "$o" in_docs || echo "docs/options.md lacks $o"
	grep -qx "$o" in_man || echo "the manual page lacks $o"
done <names
"$ERLTRACE" --help | sed -n 's/^	\(-[A-Za-z-]*\)  .*/\1/p' | sed 's/-/\\-/g' >flags
[ "$(wc -l <flags)" -gt 30 ] || { echo 'the flags of --help were not found'; exit 1; }
while read -r f; do
	grep -qF -- "$f" "$top/docs/erltrace.1" || echo "the manual page lacks $f"
done <flags
echo done
