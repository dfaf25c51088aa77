# Folds stacks that erltrace printed, with their counts, to lines: count, frames without offsets from the innermost on.
/^ *[0-9]+$/ { gsub(/\+0x[0-9a-f]+/, "", frames); print $1 frames; frames = ""; next }
NF { frames = frames " " $1 }
