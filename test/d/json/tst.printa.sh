# Asserts that printa() has a row for each key, sorted.

$ERLTRACE --json -n 'BEGIN { @a["x"] = sum(2); @b["x"] = sum(5); @a["y"] = sum(1); printa(@a, @b); exit(0); }' 2>/dev/null | grep -c '"aggregations":\["a","b"\],"rows":\[{"keys":\["y"\],"values":\[1,0\]},{"keys":\["x"\],"values":\[2,5\]}\]'
true
