# A minute of random scripts on a node with every kind of trouble leaves nothing behind. More: make soak SECONDS=600.
# @@timeout: 600
set -- "${SOAK_SECONDS:-60}"
. "$srcdir/soak.sh"
