# After a minute of random scripts on a node with every kind of trouble nothing is left. For a longer run: make soak
# SECONDS=600.
# @@timeout: 600
set -- "${SOAK_SECONDS:-60}"
. "$srcdir/soak.sh"
