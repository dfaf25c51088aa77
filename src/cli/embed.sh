# embed.sh FILE.d …: the ready-made scripts as rows of a C table, for src/cli/ready.c.
for f; do
	name=${f##*/}
	printf '{"%s",\n' "${name%.d}"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/	/\\t/g' -e 's/.*/"&\\n"/' "$f" || exit
	printf '},\n'
done
