# Asserts that every option that takes a size is accepted by -x.
#
# @@timeout: 60

for o in aggsize=1m bufsize=1m dynvarsize=1m jstackstrsize=256 printsize=4k scratchsize=64k specsize=16k strsize=128 termbytes=1k bpflogsize=1m lockmem=1m preallocate=1k; do
	$ERLTRACE -q -e -x $o -n BEGIN >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
