# objdump -d --no-show-raw-insn LIBRARY | awk -f stores.awk: the instructions that write memory, for steps.c. A line for each:
# its address, the segment's register, the displacement, the registers of base and index, and the scale. "-" is none;
# the base "library" is the library's beginning. What they push on the stack is left out.
$1 !~ /^[0-9a-f]+:$/ { next }
{
	at = substr($1, 1, length($1) - 1)
	code = $0
	sub(/^[^\t]*\t/, "", code)
	target = ""
	if (match(code, /# [0-9a-f]+ </))
		target = substr(code, RSTART + 2, RLENGTH - 4)
	sub(/ *#.*/, "", code)
	sub(/ *$/, "", code)
	while (code ~ /^(lock|rep|repz|repnz|data16|cs|ds|xacquire|xrelease|notrack|bnd) /)
		sub(/^[a-z0-9]+ +/, "", code)
	# these only read what they name last, or name no memory
	if (code ~ /^(cmp[bwlq]|cmps|test|lea|jmp|call|nop|prefetch|push|bt[wlq]? |ucomis|comis|mul|imul[bwlq] |div|idiv|ldmxcsr|fld|fild|scas|lods)/)
		next
	if (code ~ /^cmp / || code ~ /^f/ && code !~ /^(fst|fist|fnst)/)
		next
	# the last operand: commas within parentheses do not count
	operand = code
	sub(/^[a-z0-9]+ +/, "", operand)
	depth = 0
	last = 1
	for (i = 1; i <= length(operand); i++) {
		c = substr(operand, i, 1)
		depth += (c == "(") - (c == ")")
		if (c == "," && depth == 0)
			last = i + 1
	}
	operand = substr(operand, last)
	segment = "-"
	if (match(operand, /^%[c-gs]s:/)) {
		if (substr(operand, 2, 2) == "fs")
			segment = "fs"
		operand = substr(operand, 5)
	}
	if (operand !~ /\)$/ && segment == "-")
		next
	disp = operand
	sub(/\(.*/, "", disp)
	sub(/0x/, "", disp)
	if (disp == "")
		disp = "0"
	base = index_ = "-"
	scale = 0
	if (match(operand, /\(.*\)/)) {
		n = split(substr(operand, RSTART + 1, RLENGTH - 2), part, ",")
		if (part[1] != "")
			base = substr(part[1], 2)
		if (n > 1) {
			index_ = substr(part[2], 2)
			scale = n > 2 ? part[3] : 1
		}
	}
	if (base == "rip") {
		base = "library"
		disp = target
	}
	print at, segment, disp, base, index_, scale
}
