# rooms.sh [FOLDER]: checks that folders of sources include each other in one direction only:
#
#     lang → gen → object ← engines ← providers
#
# This table is the rule. A line names a room, which is a folder with those below it that have no line of their own, and
# the rooms that its files may include beside their own. "public" is include/erltrace.h. What is not in the table must
# not be included.
#
# Also checks that the name of a struct, a union or an enum means one thing in all rooms, and that no file outside
# src/arch asks for the processor.
#
# Prints each place that breaks a rule, and exits with 1 if there is one.
cd "${1:-$(dirname "$0")/..}" || exit

rooms='
# what depends on the processor; everything may ask it
arch
# the lowest: each can be used without the others
base
btf: base
sym: arch base
# what engines need of a program; the part inside the VM has no more of the compiler than this
object: base
# the compiler
lang: arch base object btf sym
gen: base object lang
# what runs a program
engine: base object
engine/user: arch base object engine
engine/kernel: arch base object engine btf sym engine/kernel/rt
engine/kernel/lower: arch base object engine engine/kernel engine/kernel/rt
engine/kernel/load: arch base object engine sym engine/kernel engine/kernel/lower engine/kernel/rt
engine/kernel/rt: arch object engine/kernel
# where probes come from
provider: base object engine
provider/kernel: arch base btf sym object engine engine/kernel provider
# another node: an engine that is elsewhere
node: arch base object engine engine/user
# what is done with the data
show: base object public
consume: base object engine show public
api: base object lang gen sym engine engine/kernel provider node consume show public
# users of the library
picture: base public
port: base alert node public
web: base alert consume show public
alert: base picture show public
export: base alert web public
cli: arch base alert node picture port web export public
# the library inside the VM
otp/erltrace/c_src: arch base object engine engine/user provider node
'

# FILE HEADER: an include against the rule; the line before says why it is still there.
exceptions="
# The checker asks which probes a description matches and what their arguments are; this header is that interface.
src/lang/cc.h provider/provider.h
# Attaches a handle through the port, and asks its node whether it is alive: the library has no functions for these.
src/port/command.c api/handle.h
# Tells the page which aggregating functions there are, and how their values fold.
src/web/client.c object/aggfn.h
# Merges the values of several nodes, for which the library has no function.
src/web/sheet.c object/aggval.h
"

broken=$(find src otp/erltrace/c_src -name '*.[ch]' | sort | xargs awk -v rooms="$rooms" -v exceptions="$exceptions" '
function room_of(path) {
	sub(/^src\//, "", path)
	while (sub(/\/[^\/]*$/, "", path))
		if (path in known)
			return path
	return ""
}
BEGIN {
	n = split(rooms, line, "\n")
	for (i = 1; i <= n; i++) {
		if (line[i] ~ /^#/ || line[i] == "")
			continue
		k = split(line[i], word, /[: ]+/)
		known[word[1]] = 1
		for (j = 1; j <= k; j++)
			may[word[1], word[j]] = 1
	}
	n = split(exceptions, line, "\n")
	for (i = 1; i <= n; i++)
		if (split(line[i], word, " ") > 1 && line[i] !~ /^#/)
			excused[word[1], word[2]] = 1
}
FNR == 1 { seen[FILENAME] = 1 }
/^[ \t]*#[ \t]*include[ \t]*"[^"]*\.h"/ {
	header = $0
	sub(/^[^"]*"/, "", header)
	sub(/".*/, "", header)
	from = room_of(FILENAME)
	if (from == "")
		print FILENAME ":" FNR ": a folder that has no line in test/rooms.sh"
	if (header !~ /\// && header != "erltrace.h")
		next
	to = header == "erltrace.h" ? "public" : room_of(header)
	used[FILENAME, header] = 1
	if (!((from, to) in may) && !((FILENAME, header) in excused))
		print FILENAME ":" FNR ": " from " must not include " (to == "" ? "an unknown room" : to) ": " header
}
/^[ \t]*(typedef |static |const )*(struct|union|enum) [a-z_0-9]+ \{/ {
	name = $0
	sub(/ *\{.*/, "", name)
	sub(/.* /, "", name)
	if (name in defined)
		print FILENAME ":" FNR ": the name " name " is taken: " defined[name]
	defined[name] = FILENAME ":" FNR
}
/__x86_64|__aarch64|__amd64|__i386|ET_ARCH_/ && FILENAME !~ /^src\/arch\// {
	print FILENAME ":" FNR ": what depends on the processor belongs into src/arch"
}
END {
	for (e in excused)
		if (split(e, word, SUBSEP) && seen[word[1]] && !(e in used))
			print "test/rooms.sh: " word[1] " does not include " word[2] " any more: take the exception out"
}')
[ -z "$broken" ] && exit
echo "$broken"
exit 1
