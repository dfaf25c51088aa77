# Asserts that a speculation of 5,000 records is committed complete and in order, and that of 5,000 speculations the
# committed ones are printed and the discarded ones are not.
# @@timeout: 60
. "$srcdir/common.sh"
P='syscall::futex:entry /pid == $target && arg1 == 99'
$K -xspecsize=1m -xbufsize=4m -n "$P && !s/ { s = speculation(); }
    $P/ { speculate(s); printf(\"%d\n\", arg2); }
    $P && arg2 == 4999/ { commit(s); }" -c './workload keys 5000' 2>err | awk 'NF { if ($1 != n) bad++; n++ } END { print n, bad + 0 }'
cat err
$K -xnspec=100 -n "$P/ { self->s = speculation(); }
    $P && self->s/ { speculate(self->s); printf(\"%d\n\", arg2); }
    $P && self->s && arg2 % 2/ { commit(self->s); self->s = 0; }
    $P && self->s/ { discard(self->s); self->s = 0; }" -c './workload keys 5000' 2>err | awk 'NF { n++; if ($1 % 2 == 0) bad++ } END { print n, bad + 0 }'
cat err
