# Asserts that every option that takes a flag is accepted by -x.
#
# @@timeout: 60

for o in agghist aggpack aggpercpu aggsortkey aggsortrev aggzoom argref core cpp cpphdrs debug defaultargs destructive droptags empty errtags flowindent kdefs knodefs lazyload nolibs noresolve pspec quiet quietresize rawbytes strip temporal udefs unodefs verbose zdefs bpflog json; do
	$ERLTRACE -q -e -x $o -n BEGIN >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
