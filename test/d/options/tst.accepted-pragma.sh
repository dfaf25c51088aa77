# Asserts that options are accepted as pragmas.
#
# @@timeout: 60

for o in quiet aggrate=1s aggsize=1m aggsortkey aggsortkeypos=0 aggsortpos=0 aggsortrev bufpolicy=switch bufresize=auto bufsize=1m cleanrate=101hz defaultargs destructive dynvarsize=1m flowindent jstackframes=10 jstackstrsize=256 nspec=2 rawbytes specsize=16k stackframes=10 stackindent=4 statusrate=1s strsize=128 switchrate=10hz ustackframes=10 temporal=on; do
	printf '#pragma D option %s\nBEGIN { exit(0); }\n' $o >a.d
	$ERLTRACE -q -e -s a.d >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
