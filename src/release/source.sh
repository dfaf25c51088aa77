# For scripts that build something from the sources of Debian's packages; sourced.
#
#   source_of PACKAGE [VERSION]   prints the path of the package's .orig archive, which it gets once into the current folder;
#                                 if that fails, prints why
#   musl_linux FOLDER             prints FOLDER, which then has the kernel's header files: those of musl have none

# By lists of our own below the current folder: the machine's are left as they are.
source_apt() {
	apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$PWD/apt/parts" -o "Dir::State::lists=$PWD/apt/lists" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@" >>apt.log 2>&1
}

source_of() {
	if ! ls "$1"_*.orig.tar.* >/dev/null 2>&1; then
		if [ ! -e apt/read ]; then
			mkdir -p apt/parts apt/lists/partial
			if [ -e /etc/apt/sources.list.d/debian.sources ]; then
				sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >apt/parts/src.sources
			else
				sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >apt/parts/src.list
			fi
			source_apt update || { echo "apt-get update failed: $PWD/apt.log"; return 1; }
			touch apt/read
		fi
		source_apt source --download-only "$1${2:+=$2}" || { echo "apt-get source $1 failed: $PWD/apt.log"; return 1; }
	fi
	for source_archive in "$PWD/$1"_*.orig.tar.*; do
		case $source_archive in
		*.asc) ;;
		*) echo "$source_archive" && return ;;
		esac
	done
	return 1
}

musl_linux() {
	mkdir -p "$1"
	for musl_part in linux asm-generic mtd; do
		ln -sfn "/usr/include/$musl_part" "$1/$musl_part"
	done
	musl_asm=/usr/include/$(gcc -print-multiarch)/asm
	[ -d "$musl_asm" ] || musl_asm=/usr/include/asm
	ln -sfn "$musl_asm" "$1/asm"
	echo "$1"
}
