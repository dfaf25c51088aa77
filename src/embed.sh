# embed.sh text FILE …: the files as one string literal of C.
# embed.sh rows FILE.d …: each as a row of a C table: {"name without .d", "text"},
quoted() {
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/	/\\t/g' -e 's/.*/"&\\n"/' "$1"
}
what=$1
shift
for f; do
	name=${f##*/}
	[ "$what" = text ] || printf '{"%s",\n' "${name%.d}"
	quoted "$f" || exit
	[ "$what" = text ] || printf '},\n'
done
