# fetch.sh FOLDER RELEASE PACKAGE…: unpacks packages of Debian for arm64 ($ARCH: for another processor), with what they need, below
# FOLDER/root; once. Nothing of this machine changes. If that is not possible, the reason is the last line of standard error.
folder=$1 release=$2 arch=${ARCH:-arm64}
shift 2
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
	echo 'apt-get is not here' >&2
	exit 1
}
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) && exec 9>"$folder/lock" && flock 9 || exit 1
[ ! -e "$folder/fetched" ] || exit 0
new=$folder/new
rm -rf "$new" "$folder/root"
mkdir -p "$new/lists/partial" "$new/archives/partial" "$folder/root/usr/lib" "$folder/root/usr/bin" || exit 1
: >"$new/status"
mirror=$(sed -n 's/^deb  *\(\[.*\]  *\)\{0,1\}\([a-z]*:[^ ]*\/debian\)\/\{0,1\} .*/\2/p; s/^URIs: *\([^ ]*\/debian\)\/\{0,1\} *$/\1/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
echo "deb [signed-by=$(ls /usr/share/keyrings/debian-archive-keyring.* | head -n 1)] ${mirror:-http://deb.debian.org/debian} $release main" >"$new/sources.list"
cat >"$new/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::State "$new";
Dir::State::status "$new/status";
Dir::Cache "$new";
Dir::Etc::sourcelist "$new/sources.list";
Dir::Etc::sourceparts "/nonexistent";
END
export APT_CONFIG="$new/apt.conf"
apt-get -q update >"$folder/log" 2>&1 && apt-get -q -y -d install "$@" >>"$folder/log" 2>&1 || {
	grep '^E:' "$folder/log" | tail -n 1 >&2
	exit 1
}
ln -s usr/lib usr/bin "$folder/root/" || exit 1
for package in "$new"/archives/*.deb; do
	dpkg-deb -x "$package" "$folder/root" || exit 1
done
# the dynamic linker of x86-64
[ ! -d "$folder/root/usr/lib64" ] || [ -e "$folder/root/lib64" ] || ln -s usr/lib64 "$folder/root/" || exit 1
rm -rf "$new"
: >"$folder/fetched"
