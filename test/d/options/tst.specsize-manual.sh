# With bufresize=manual a specsize that no machine has is refused.
# @@engine: user the kernel engine keeps speculations where other records are
"$ERLTRACE" -q -xspecsize=100t -xbufresize=manual -n 'BEGIN { exit(0); }' 2>/dev/null
echo "status $?"
