# Every error tag of the language has a test that brings it about.
tags() { sed -n "$1"'s/^	X(\([A-Z0-9_]*\),.*/D_\1/p' "$srcdir/../../src/lang/tags.h" | sort; }
tags '1,/define ET_TAGS_KERNEL/' >tags
tags '' >known
ls "$srcdir"/../d/* | sed -n 's/^err\.\(D_[A-Z0-9_]*\)\..*/\1/p' | sort -u >tested
[ "$(wc -l <tags)" -gt 150 ] || { echo 'the table of tags was not found'; exit 1; }
echo "without a test:"
comm -23 tags tested
echo "tests of tags that there are not:"
comm -13 known tested
