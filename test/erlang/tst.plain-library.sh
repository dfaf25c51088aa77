# The library for the VM is one file for every C library, on each processor: it needs no other library, no symbol
# version and no thread-local storage, and only symbols that glibc 2.17 and musl both have.
SO=$BUILD/otp/erltrace/priv/erltrace_tracer.so
[ -e "$SO" ] || { echo "built without Erlang" >&2; exit 67; }
command -v readelf >/dev/null || { echo "readelf is not installed" >&2; exit 67; }

# What both have. For a new name: is it in glibc 2.17 (not a later one), and in musl? Was it the same function in
# glibc's first version? Otherwise otp/erltrace/c_src/libc.c must have it.
tr -s ' \n' '\n' >allowed <<-END
	__ctype_b_loc __errno_location __sched_cpucount aligned_alloc calloc clock_gettime close fallocate fclose fcntl ferror fgets
	fopen fread free ftruncate getauxval getegid geteuid getgid getpid getppid getuid inet_ntop kill longjmp madvise malloc mremap
	memchr memcmp memcpy memmem memmove memrchr memset mmap munmap nanosleep open prctl process_vm_readv process_vm_writev
	pthread_attr_destroy pthread_attr_init pthread_attr_setstacksize pthread_create pthread_join pthread_mutex_destroy
	pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_sigmask read readlink realloc recvmsg sched_getaffinity
	sched_getcpu sched_setaffinity sched_yield sigfillset snprintf socketpair strchr strcmp strcspn strdup strerror strlen strncmp strnlen
	strpbrk strrchr strspn strstr strtol strtoll strtoul strtoull syscall sysconf vsnprintf vsscanf
	stpcpy strcat strcpy strncpy write pread pwrite lseek memccpy abort bcmp
END
# Leaves what it needs of a C library in `needed`.
check() {
	readelf --dyn-syms -W "$1" | awk '$7 == "UND" && $8 { print $8 }' | sort -u >all
	grep -v '^enif_' all >needed
	[ "$(wc -l <needed)" -gt 20 ] || echo "only $(wc -l <needed) symbols were found"
	grep @ needed | sed 's/^/with a version: /'
	sed 's/@.*//' needed | grep -Fvx -f allowed | sed 's/^/not in every C library: /'
	readelf -dW "$1" | grep -E '\((NEEDED|VERNEED|VERSYM|TEXTREL|RELR|FLAGS_1|RPATH|RUNPATH)\)'
	readelf -lW "$1" | grep -E '^ *TLS|^ *INTERP|GNU_STACK.*E'
	readelf -rW "$1" | grep -E 'TPOFF|DTPMOD|TLSDESC|IRELATIV'
}
for other in "$BUILD"/otp/erltrace/priv/*/erltrace_tracer.so; do
	[ ! -e "$other" ] || check "$other"
done
check "$SO"

# as far as this machine knows, too
for musl in /lib/ld-musl-*.so.1; do
	[ -e "$musl" ] && readelf --dyn-syms -W "$musl" | awk '$7 != "UND" { print $8 }' >musl &&
		grep -Fvx -f musl needed | sed 's/^/not in musl: /'
done
libc=$(awk '$6 ~ /\/libc\.so\.6$/ { print $6; exit }' /proc/self/maps)
if [ -n "$libc" ]; then
	# A name with a version, and two signs between them if it is the default. The first of the versions is the one that a name without a version gets; its code
	# must be today's. Only memcpy() may differ: at first it was memmove().
	readelf --dyn-syms -W "$libc" | awk '
	NR == FNR { if ($8 ~ /@/) { split($8, p, /@+/); n[p[1]]++; name[p[1], n[p[1]]] = p[2]; at[p[1], n[p[1]]] = $2; now[p[1]] = $8 ~ /@[@]/ ? $2 : now[p[1]] } next }
	function number(v) { split(v, q, /[_.]/); return q[2] * 10000 + q[3] * 100 + q[4] }
	{
		first = 0
		for (i = 1; i <= n[$1]; i++) {
			v = number(name[$1, i])
			if (!first || v < first) { first = v; where = at[$1, i] }
		}
		if (!n[$1])
			print "not in glibc: " $1
		else if (first > 21700)
			print "not in glibc 2.17: " $1
		else if (first <= 20205 && where != now[$1] && $1 != "memcpy")
			print "not the same function in the first glibc: " $1
	}' - needed
fi
echo checked
