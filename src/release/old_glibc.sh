# old_glibc.sh FOLDER VERSION CC…: in FOLDER, libraries to link with so that a program starts on glibc VERSION and later.
#
# glibc gives its functions versions. The linker takes the newest one that the library has here, and the program then
# does not start on machines with an older glibc, though nearly all functions have been there for long (2.34, for one,
# gave all functions for threads a new version only because they moved to another file). The libraries in FOLDER have no
# code: they are lists of what the real ones have here, up to VERSION. What they lack the linker reports; old_glibc.c has
# replacements. Before 2.34 functions for threads, dlopen() and timers were in files of their own, so the program must
# also name those.
#
# Not done, with status 1 and the reason: if this C library is not glibc, or is too new to tell what it had then.
set -e
folder=$1 version=$2
shift 2
mkdir -p "$folder"
fail() {
	echo "old_glibc.sh: $*" >&2
	exit 1
}
nonshared=$("$@" -print-file-name=libc_nonshared.a)
[ -e "$nonshared" ] || fail "this C library is not glibc, or has no files to link with"

# list FILE: "type size name version", the newest one up to $version of each name
list() {
	readelf --dyn-syms -W "$1" | awk -v limit="$version" '
	function number(v, p) { split(v, p, "."); return p[1] * 1000000 + p[2] * 1000 + p[3] }
	BEGIN { limit = number(limit) }
	$7 != "UND" && $7 != "ABS" && $8 ~ /@/ {
		split($8, p, /@+/)
		if (p[2] !~ /^GLIBC_[0-9.]*$/ || $4 == "TLS")
			next
		v = number(substr(p[2], 7))
		if (v <= limit && v >= newest[p[1]] + 0) {
			newest[p[1]] = v
			row[p[1]] = $4 " " $3 " " p[1] " " p[2]
		}
	}
	END { for (n in row) print row[n] }' | sort
}
# stub FILE: FOLDER/FILE, with the names that the real one has
stub() {
	real=$("$@" -print-file-name="$file")
	case $real in
	/*) ;;
	*) fail "there is no $file" ;;
	esac
	list "$real" >"$folder/$file.list"
	[ "$(wc -l <"$folder/$file.list")" -gt 100 ] || fail "$real has no versions up to $version"
	awk '{ print $4 }' "$folder/$file.list" | sort -u | sed 's/.*/& {};/' >"$folder/$file.map"
	awk '{
		if ($1 == "OBJECT")
			printf ".data\n.balign 32\n.type et%d, %%object\n.size et%d, %d\net%d: .zero %d\n", NR, NR, $2, NR, $2 + ($2 == 0)
		else
			printf ".text\n.type et%d, %%function\net%d: .byte 0\n", NR, NR
		printf ".globl et%d\n.symver et%d, %s@@%s, remove\n", NR, NR, $3, $4
	}
	END { print ".section .note.GNU-stack, \"\", %progbits" }' "$folder/$file.list" >"$folder/$file.s"
	"$@" -shared -nostdlib -Wl,-soname,"$file" -Wl,--version-script="$folder/$file.map" -o "$folder/$file" "$folder/$file.s"
	rm "$folder/$file.s" "$folder/$file.map"
}
for file in libc.so.6 libm.so.6; do
	stub "$@"
done
echo '.section .note.GNU-stack, "", %progbits' >"$folder/empty.s"
for file in libpthread.so.0 libdl.so.2 librt.so.1; do
	"$@" -shared -nostdlib -Wl,-soname,"$file" -o "$folder/$file" "$folder/empty.s"
done
# What -lc and -lm find.
folder=$(cd "$folder" && pwd)
echo "GROUP ( $folder/libc.so.6 $nonshared )" >"$folder/libc.so"
echo "GROUP ( $folder/libm.so.6 )" >"$folder/libm.so"
