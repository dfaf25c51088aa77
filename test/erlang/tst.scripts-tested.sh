# Every ready-made script is named by some test, and says which question it answers, how to run it and what it needs.
for script in "$srcdir"/../../scripts/*.d; do
	s=$(basename "$script")
	grep -lq "/$s" "$srcdir"/*.sh "$srcdir"/../cli/*.sh "$srcdir"/../kernel/*.sh "$srcdir"/../../scripts/demo.sh || {
		echo "no test runs $s" >&2
		exit 1
	}
	sed -n 1p "$script" | grep -q '^#!/usr/bin/env -S erltrace -' || {
		echo "$s has no interpreter line" >&2
		exit 1
	}
	sed -n 2,8p "$script" | grep -q '?' || {
		echo "$s does not say what it answers" >&2
		exit 1
	}
	grep -Eq '^ \* @needs (node|kernel|nothing)$' "$script" || {
		echo "$s does not say what it needs" >&2
		exit 1
	}
	grep -q "^ \*     erltrace .*\b${s%.d}\b" "$script" || {
		echo "$s does not say how it is run" >&2
		exit 1
	}
done
