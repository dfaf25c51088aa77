# sum.sh RESULTS: adds up the lines "passed failed skipped label"; the last line printed is the sum.
awk '
	{ p += $1; f += $2; s += $3; if ($2) { bad = bad "\n  " $0 } }
	END {
		if (bad) print "\nwith failures (passed failed skipped suite):" bad
		printf "%d passed, %d failed, %d skipped\n", p, f, s
		exit f || !p
	}' "$1"
