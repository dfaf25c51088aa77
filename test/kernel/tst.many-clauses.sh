# Asserts that 10,000 clauses of one probe run, in order, with this-> shared among them.
. "$srcdir/common.sh"
{
	echo 'BEGIN { this->x = 0; }'
	i=0
	while [ $i -lt 10000 ]; do
		echo 'BEGIN { this->x++; }'
		i=$((i + 1))
	done
	printf '%s\n' 'BEGIN { printf("%d\n", this->x); exit(0); } BEGIN { printf("never\n"); }'
} >many.d
$K -s many.d | awk 'NF'
