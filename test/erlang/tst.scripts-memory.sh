# Ready-made scripts about garbage collection and heaps: exact numbers of requested collections.
# @@timeout: 180
. "$srcdir/workload.sh"
scripts=$srcdir/../../scripts
node_start

trace -qs "$scripts/garbage-collection.d"
work '{gc,200}'
trace_end
major=$(awk '$1 == "major" && NF == 3 { print $2 }' out)
# others may collect too, seldom
[ "$major" -ge 200 ] && [ "$major" -le 220 ] || fail "$major major collections instead of 200"

trace -x pidnames=off -qn 'erlang*:::gc_major-start, erlang*:::gc_major-end { @[copyinstr(arg0), probename] = count(); }'
work '{gc,300}'
by=$answer
trace_end
want "^ +$by +gc_major-start +300\$" "^ +$by +gc_major-end +300\$"

# A list of 300000 cells needs 600000 words. How much of that is seen as growth depends on how the OTP makes room; the heap gives back
# all that it took.
trace -x pidnames=off -qs "$scripts/memory.d"
work heap
by=$answer
trace_end
grown=$(awk -v p="$by" '$1 == p { print $2; exit }' out)
[ "${grown:-0}" -ge 400000 ] || fail "grown by $grown words"
want '^heap grows +[1-9]' '^heap shrinks +[1-9]'
