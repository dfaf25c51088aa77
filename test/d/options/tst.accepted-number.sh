# Asserts that every option that takes a number is accepted by -x.
#
# @@timeout: 60

for o in aggsortkeypos=0 aggsortpos=0 jstackframes=10 maxframes=64 nspec=2 stackframes=10 stackindent=4 ustackframes=10 maxoverhead=50 termparts=300 sample=8 disasm=1 iregs=8 tregs=8 tree=1 pgmax=8 useruid=0; do
	$ERLTRACE -q -e -x $o -n BEGIN >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
