# Output does not follow another user's symbolic link, and is not written into a file that another user has put into a
# folder where everybody may write: for -o with text, pictures and objects, and for freopen(). The user's own links,
# /dev/stdout and pipes work.
draw='BEGIN { @["key"] = count(); exit(0); }'
say='BEGIN { printf("said\n"); exit(0); }'
echo precious >target
# Links of one's own.
ln -s target own
ln -s own again
ln -s new dangling
"$ERLTRACE" -q -o again -n "$say" && cat target
"$ERLTRACE" -q -o dangling -n "$say" && cat new
ln -s loop loop
"$ERLTRACE" -q -o loop -n "$say" 2>&1
# What is no file.
"$ERLTRACE" -q -o /dev/stdout -n "$say" | cat
"$ERLTRACE" -q -o /dev/null -n "$say"
mkfifo pipe
cat pipe &
"$ERLTRACE" -q -o pipe -n "$say"
wait
"$ERLTRACE" -q -o . -n "$say" 2>&1
[ "$(id -u)" = 0 ] || { echo 'links of other users need root' >&2; exit 67; }
# Somebody else's.
echo precious >target
mkdir shared
chmod 1777 shared
for name in x x.svg; do
	ln -s ../target shared/$name
	chown -h 65534 shared/$name
	"$ERLTRACE" -q -o shared/$name -n "$draw" 2>&1 | grep -v '^ *key\|^$'
done
"$ERLTRACE" --compile-only -o shared/x -n "$draw" 2>&1
ln -s shared/x own2
"$ERLTRACE" -q -o own2 -n "$say" 2>&1
"$ERLTRACE" -qw -n 'BEGIN { freopen("shared/x"); printf("said\n"); exit(0); }' 2>&1 | grep -o 'it is a symbolic.*'
cat target
# A file that somebody else has put there. (The kernel may have refused it already: fs.protected_regular.)
echo theirs >shared/file
chown 65534 shared/file
"$ERLTRACE" -q -o shared/file -n "$say" 2>/dev/null
echo "status $?"
cat shared/file
# In a folder that is his it is his business.
mkdir his
echo theirs >his/file
chown -R 65534 his
"$ERLTRACE" -q -o his/file -n "$say"
cat his/file
