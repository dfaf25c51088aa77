# libraries.sh FOLDER: the libraries of a static build, for musl, in FOLDER/lib, with their header files in FOLDER/include; once.
#
# Debian has musl, but no libraries that were built for it. These five are built from the sources of Debian's packages: ei
# (which attaching to nodes needs), jansson, libwebsockets and Mbed TLS (the page and `erltrace export`), and liblzma
# (packed symbols of stripped programs). FOLDER/linux has the kernel's header files. Takes two minutes of one processor
# and 70 MB to download, most of it Erlang's sources.
set -e
[ -e "$1/built" ] && exit 0
mkdir -p "$1"
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
for tool in apt-get musl-gcc gcc cmake make xz; do
	command -v $tool >/dev/null || { echo "static: $tool is not here (sh test/setup.sh static installs it)" >&2; exit 1; }
done
. "$here/source.sh"
cd "$folder"
LC_ALL=C
CC="musl-gcc -isystem $(musl_linux "$folder/linux")"
export LC_ALL CC

# unpack PACKAGE [PART…]: into src/PACKAGE, whole or these parts
unpack() {
	echo "static: building $1 (log: $folder/$1.log)"
	archive=$(source_of "$1") || { echo "static: $archive" >&2; exit 1; }
	rm -rf "src/$1"
	mkdir -p "src/$1"
	unpack_to=src/$1
	shift
	tar -xf "$archive" -C "$unpack_to" --strip-components=1 ${1+--wildcards "$@"}
}
# with_cmake PACKAGE TARGET [OPTION…]: builds src/PACKAGE
with_cmake() {
	package=$1 target=$2
	shift 2
	cmake -S "src/$package" -B "src/$package-built" -DCMAKE_C_COMPILER=musl-gcc "-DCMAKE_C_FLAGS=-isystem $folder/linux -O2" \
		-DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "$@" &&
		make -C "src/$package-built" -j"$(nproc)" "$target"
}
# logged PACKAGE COMMAND…: its end is shown if it fails
logged() {
	log=$folder/$1.log
	shift
	"$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
}

unpack jansson
logged jansson with_cmake jansson install -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
unpack mbedtls
logged mbedtls with_cmake mbedtls install -DENABLE_TESTING=OFF -DENABLE_PROGRAMS=OFF
unpack libwebsockets
logged libwebsockets with_cmake libwebsockets install -DLWS_WITH_SHARED=OFF -DLWS_WITHOUT_TESTAPPS=ON -DLWS_WITH_LIBCAP=OFF \
	-DLWS_WITH_ZLIB=OFF -DLWS_WITHOUT_EXTENSIONS=ON -DLWS_IPV6=ON -DDISABLE_WERROR=ON -DLWS_WITH_MBEDTLS=ON \
	-DLWS_MBEDTLS_INCLUDE_DIRS="$folder/include" -DMBEDTLS_LIBRARY="$folder/lib/libmbedtls.a" \
	-DMBEDX509_LIBRARY="$folder/lib/libmbedx509.a" -DMBEDCRYPTO_LIBRARY="$folder/lib/libmbedcrypto.a"
unpack xz-utils
logged xz-utils with_cmake xz-utils liblzma
cp src/xz-utils-built/liblzma.a lib/
cp -R src/xz-utils/src/liblzma/api/lzma.h src/xz-utils/src/liblzma/api/lzma include/

unpack erlang '*/lib/erl_interface' '*/make' '*/erts/autoconf' '*/OTP_VERSION'
ei() (
	set -e
	ERL_TOP=$folder/src/erlang
	export ERL_TOP
	cd "$ERL_TOP"
	sed 's/@DEFAULT_VERBOSITY@/0/' make/output.mk.in >make/output.mk
	cd lib/erl_interface
	./configure
	target=$(basename "$(dirname src/*/eidefs.mk)")
	make -C src "TARGET=$target" opt
	cp "obj/$target/libei.a" "$folder/lib/"
)
logged erlang ei
rm -rf src apt
touch built
