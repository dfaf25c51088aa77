# Asserts that records of nearly 64 KiB, of more and of nearly 1 MiB are complete, and that a larger one is refused with
# advice.
. "$srcdir/common.sh"
long=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%c", 97 + i % 26 }')
script() { # script N: a record of N strings
	awk -v n="$1" 'BEGIN { printf "BEGIN { printf(\""; for (i = 0; i < n; i++) printf "%%s "
		printf "\\n\""; for (i = 0; i < n; i++) printf ", $$1"; print "); exit(0); }" }'
}
script 15 >fits.d
script 16 >more.d
script 250 >most.d
script 257 >over.d
$K -xstrsize=4k -s fits.d "$long" 2>&1 | awk -v s="$long" 'NF { n = 0; for (i = 1; i <= NF; i++) n += $i == s; print NF, n }'
for f in more most; do
	$K -xstrsize=4k -s $f.d "$long" 2>&1 | awk -v s="$long" 'NF { n = 0; for (i = 1; i <= NF; i++) n += $i == s; print NF, n }'
done
$K -xstrsize=4k -s over.d "$long" 2>&1 | grep -o 'a record of [0-9]* bytes is over the limit of 1048576: use a smaller strsize'
