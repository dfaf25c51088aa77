# The rows of the benchmarks become one table with ratios, a JSON document and a picture.
top=$srcdir/../..
cat >rows <<'END'
{"bench":"vm","what":"call, untraced","value":3.6,"unit":"ns"}
{"bench":"vm","what":"call, keyed count","value":180.0,"unit":"ns","ratio":50.00,"to":"untraced"}
{"bench":"engine","what":"@[arg0] = count(), 1 key","value":19.0,"unit":"ns","ratio":1.90,"to":"empty clause"}
END
sh "$top/bench/report.sh" rows all.json | sed 's/  */ /g; s/ $//'
# one document: every row is there, and what it was measured on
grep -c '^{"bench":' all.json
head -1 all.json | sed 's/:"[^"]*"/:TEXT/g; s/:[0-9.]*\([,}]\)/:NUMBER\1/g'
tail -1 all.json
awk '/^{"bench"/ && !/},$/' all.json # only the last row has no comma
sh "$top/bench/picture.sh" rows >all.svg
grep -o '>180 ns keyed count<' all.svg
tail -1 all.svg
