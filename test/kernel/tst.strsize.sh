# Asserts that a strsize of 4k and of 64k keeps long strings whole, as values, variables, keys and in records, and that
# a small one cuts them.
. "$srcdir/common.sh"
long=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c", 97 + i % 26 }')
for size in 4k 100; do
	$K -xstrsize=$size -n 'BEGIN { self->s = $$1; this->t = strjoin(self->s, "!"); @[this->t] = count(); printf("%d %d\n", strlen(self->s), strlen(this->t));
	    printf("%s\n", this->t); exit(0); }' "$long" >out 2>&1
	awk 'NR == 1 { print } NF && NR > 1 { print length($1), index("'"$long"'!", $1), $2 }' out
done
# Longer ones have a runtime with more memory. All functions on strings once.
long=$(awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%c", 97 + i % 26 }')
$K -xstrsize=64k -xscratchsize=256k -n 'BEGIN { self->s = $$1; this->t = strjoin(self->s, "!"); @[this->t] = count(); x[this->t] = 7; printf("%d %d %d\n", strlen(self->s), strlen(this->t), x[this->t]);
    printf("%s\n", this->t); exit(0); }' "$long" >out 2>&1
awk 'NR == 1 { print } NF && NR > 1 { print length($1), $2 }' out
[ "$(sed -n 2p out)" = "$long!" ] && echo whole
$K -xstrsize=64k -xscratchsize=256k -n 'BEGIN { printf("%d %d %d %s", index($$1, "xyzabc", 50000), rindex($$1, "c"), strlen(toupper($$1)), substr($$1, 59990)); exit(0); }' "$long" | awk 'NF'
$K -xstrsize=64k -xscratchsize=256k -n 'BEGIN { printf("%d %d", strlen(strtok($$1, "!")), strlen(strstr($$1, "bcd"))); exit(0); }' "$long" | awk 'NF'
