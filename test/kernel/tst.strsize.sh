# Asserts that strsize of 4k holds long strings, whole, as values, variables, keys and in records, and that a small one cuts them.
. "$srcdir/common.sh"
long=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c", 97 + i % 26 }')
for size in 4k 100; do
	$K -xstrsize=$size -n 'BEGIN { self->s = $$1; this->t = strjoin(self->s, "!"); @[this->t] = count(); printf("%d %d\n", strlen(self->s), strlen(this->t));
	    printf("%s\n", this->t); exit(0); }' "$long" >out 2>&1
	awk 'NR == 1 { print } NF && NR > 1 { print length($1), index("'"$long"'!", $1), $2 }' out
done
