/*
 * hostile: what somebody without rights can put in the way of a tracer that runs as root.
 *
 *	hostile SHAPE FILE        writes an ELF file of a shape that is costly to read
 *	hostile map FILE…         maps the files with code, says "ready", and waits for the end of its input
 *	hostile unlinked N DIR    the same with N files, each of which is removed again
 *	hostile fuse FILE DIR     the same with one file, on a file system in DIR that does not answer from then on;
 *says the process's number first hostile perfmap BYTES N   code without a file, in N processes, and perf maps of so
 *many bytes, all one file hostile mutate SEED IN OUT  a copy of a file with some bytes changed hostile limits S MB CMD…
 *runs a command, and fails when it takes more than S seconds of CPU time or MB of memory
 *
 * The shapes are those that were expensive once; each is a program header for code and sections, as far as it matters:
 *
 *	sections   3,000 tables of symbols that are all the same one, whose names all end in the same letters
 *	notes      100,000 USDT notes
 *	sparse     400 MB without a block on the disk, which are 300 sections of notes
 *	symbols    200,000 symbols and 20,000 notes, whose arguments name symbols
 *	names      symbols at one address that share one long name
 *	headers    65,000 section headers, behind those of one probe and ten symbols
 *	unsound    probes of a name that others have too, which the kernel or the tracer must refuse
 *	escapes    one probe, whose name tells a terminal to do something
 *
 * Run by root, it becomes nobody before it says "ready".
 */
#include "hostile.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE = 0x1000, PLACES = CODE + 0x1000, MAX_SECTIONS = 65000 };

void
die(const char *what)
{
	fprintf(stderr, "hostile: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* A file that grows. */
static struct {
	FILE *fp;
	Elf64_Shdr sh[MAX_SECTIONS];
	unsigned n;
} out;

static const char names[] = "\0.symtab\0.strtab\0.note.stapsdt\0.shstrtab";
enum { N_SYMTAB = 1, N_STRTAB = 9, N_NOTE = 17, N_SHSTRTAB = 31 };

static unsigned
section(uint32_t name, uint32_t type, uint64_t off, uint64_t size, unsigned link)
{
	out.sh[out.n] = (Elf64_Shdr){.sh_name = name,
	    .sh_type = type,
	    .sh_offset = off,
	    .sh_size = size,
	    .sh_link = link,
	    .sh_addralign = 1,
	    .sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0};
	return out.n++;
}

static uint64_t
here(void)
{
	return (uint64_t)ftello(out.fp);
}

static void
put(const void *p, size_t n)
{
	if (fwrite(p, 1, n, out.fp) != n)
		die("write");
}

static unsigned
strings(unsigned n, size_t longest)
{
	uint64_t at = here();
	put("", 1);
	for (unsigned i = 0; i < n; i++) {
		char name[64];
		int len = snprintf(name, sizeof name, "symbol_%u", i);
		put(name, (size_t)len + 1);
	}
	static char letters[4096];
	memset(letters, 'a', sizeof letters);
	for (size_t left = longest; left;) {
		size_t some = left < sizeof letters ? left : sizeof letters;
		put(letters, some);
		left -= some;
	}
	put("", 1);
	return section(N_STRTAB, SHT_STRTAB, at, here() - at, 0);
}

/* Each symbol has its own name from strings(n, …), or all have the same long one. */
static unsigned
symbols(unsigned n, unsigned link, bool one)
{
	uint64_t at = here();
	Elf64_Sym y = {0};
	put(&y, sizeof y);
	for (unsigned i = 0, name = 1; i < n; i++) {
		y = (Elf64_Sym){.st_name = one ? 1 + i % 500 : name,
		    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		    .st_shndx = 1,
		    .st_value = one ? PLACES : PLACES + i % 0x3000,
		    .st_size = one ? 0 : 1};
		put(&y, sizeof y);
		name += (unsigned)snprintf(NULL, 0, "symbol_%u", i) + 1;
	}
	return section(N_SYMTAB, SHT_SYMTAB, at, here() - at, link);
}

static void
named_note(const char *provider, const char *name, uint64_t pc, uint64_t sem, const char *args)
{
	char d[512] = {0};
	uint64_t w[3] = {pc, 0, sem};
	size_t len = sizeof w;
	memcpy(d, w, sizeof w);
	for (unsigned i = 0; i < 3; i++)
		len += (size_t)snprintf(d + len, sizeof d - len, "%s", i == 0 ? provider : i == 1 ? name : args) + 1;
	uint32_t h[3] = {8, (uint32_t)len, 3};
	put(h, sizeof h);
	put("stapsdt", 8);
	put(d, (len + 3) & ~(size_t)3);
}

static void
notes(unsigned n, unsigned pad, bool by_name)
{
	uint64_t at = here();
	char name[256], args[64] = "8@%rdi";
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof name, "probe%u%0*u", i, (int)pad, 0);
		if (by_name)
			snprintf(args, sizeof args, "8@symbol_%u(%%rip)", 199999 - i);
		named_note("hostile", name, PLACES + i % 0x3000, 0, args);
	}
	section(N_NOTE, SHT_NOTE, at, here() - at, 0);
}

static void
finish(void)
{
	uint64_t at = here();
	put(names, sizeof names);
	unsigned strs = section(N_SHSTRTAB, SHT_STRTAB, at, sizeof names, 0);
	at = here();
	put(out.sh, out.n * sizeof *out.sh);
	Elf64_Ehdr h = {.e_type = ET_DYN,
	    .e_machine = EM_X86_64,
	    .e_version = EV_CURRENT,
	    .e_phoff = sizeof h,
	    .e_shoff = at,
	    .e_ehsize = sizeof h,
	    .e_phentsize = sizeof(Elf64_Phdr),
	    .e_phnum = 1,
	    .e_shentsize = sizeof(Elf64_Shdr),
	    .e_shnum = (uint16_t)out.n,
	    .e_shstrndx = (uint16_t)strs};
	Elf64_Phdr p = {.p_type = PT_LOAD,
	    .p_flags = PF_R | PF_X,
	    .p_vaddr = CODE,
	    .p_filesz = 0x5000,
	    .p_memsz = 0x5000,
	    .p_align = 0x1000};
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	rewind(out.fp);
	put(&h, sizeof h);
	put(&p, sizeof p);
	if (fclose(out.fp) != 0)
		die("write");
}

static void
make(const char *shape, const char *path)
{
	out.fp = fopen(path, "w+");
	if (!out.fp)
		die(path);
	for (unsigned i = 0; i < 0x5000; i++)
		put("\x90", 1); /* a nop, as compilers leave it where a probe is; the headers overwrite the first */
	section(0, SHT_NULL, 0, 0, 0);
	if (strcmp(shape, "sections") == 0) {
		unsigned table = symbols(1000, strings(0, 1500), true);
		notes(1, 0, false);
		while (out.n < 3000) {
			out.sh[out.n] = out.sh[table];
			out.n++;
		}
	} else if (strcmp(shape, "notes") == 0) {
		symbols(10, strings(10, 0), false);
		notes(100000, 150, false);
	} else if (strcmp(shape, "sparse") == 0) {
		while (out.n < 300)
			section(N_NOTE, SHT_NOTE, 1 << 20, 400000000, 0);
		fseeko(out.fp, (1 << 20) + 400000000, SEEK_SET);
	} else if (strcmp(shape, "symbols") == 0) {
		symbols(200000, strings(200000, 0), false);
		notes(20000, 0, true);
	} else if (strcmp(shape, "names") == 0) {
		symbols(500000, strings(0, 20000000), true);
		notes(1000, 0, false);
	} else if (strcmp(shape, "escapes") == 0) {
		symbols(10, strings(10, 0), false);
		uint64_t at = here();
		named_note("evil",
		    "\302\2332J\342\200\256"
		    "x",
		    PLACES, 0, "");
		section(N_NOTE, SHT_NOTE, at, here() - at, 0);
	} else if (strcmp(shape, "unsound") == 0) {
		uint64_t at = here();
		named_note("shop", "order__placed", PLACES, 0, "8@?! 8@what"); /* no such place for an argument */
		named_note("shop", "order__placed", CODE, 0, "8@%rdi 8@%rsi"); /* no code */
		named_note("shop", "order__placed", PLACES + 1, 1, "8@%rdi");  /* no semaphore */
		named_note("shop", "order__placed", 1 << 20, 0, "8@%rdi");     /* nowhere */
		named_note("shop", "order__placed", PLACES + 2, CODE + 1, "8@%rdi");
		section(N_NOTE, SHT_NOTE, at, here() - at, 0);
	} else if (strcmp(shape, "headers") == 0) {
		symbols(10, strings(10, 0), false);
		notes(1, 0, false);
		while (out.n < MAX_SECTIONS - 1)
			section(N_NOTE, SHT_NOTE, 0, 0x5000, 0);
	} else {
		fprintf(stderr, "hostile: no such shape: %s\n", shape);
		exit(2);
	}
	finish();
}

void
drop_rights(unsigned uid)
{
	if (geteuid() == 0 && (setgid(uid) != 0 || setuid(uid) != 0))
		die("setuid");
}

void *
map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p = fd < 0 ? MAP_FAILED : mmap(NULL, MAPPED, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		die(path);
	close(fd);
	return p;
}

void
wait_for_end(void)
{
	char c;
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		continue;
}

static void
unlinked(unsigned n, const char *dir)
{
	char path[4096];
	for (unsigned i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/unlinked.%u", dir, i);
		int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, 0x5000) != 0)
			die(path);
		close(fd);
		map(path);
		unlink(path);
	}
}

/* Runs busily in code that is in no file, so that a sampler of stacks asks for its name. */
static void
perfmap(long bytes, unsigned n)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char first[64], path[64];
	if (code == MAP_FAILED)
		die("mmap");
	memcpy(code, "\xeb\xfe", 2); /* jmp . */
	snprintf(first, sizeof first, "/tmp/perf-%d.map", (int)getpid());
	FILE *fp = fopen(first, "w");
	if (!fp)
		die(first);
	fprintf(fp, "%lx 1000 jitted_here\n", (unsigned long)(uintptr_t)code);
	for (unsigned long i = 0; ftell(fp) < bytes; i++)
		fprintf(fp, "%lx 1 other_%lu\n", i, i);
	fclose(fp);
	printf("%d\n", (int)getpid());
	for (unsigned i = 1; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0)
			((void (*)(void))(uintptr_t)code)();
		snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
		if (link(first, path) != 0)
			die(path);
		printf("%d\n", (int)pid);
	}
	puts("ready");
	fflush(stdout);
	((void (*)(void))(uintptr_t)code)();
}

/* Changes bytes, bits, words (to values at some edge), and digits, which are often those of an option. */
static void
mutate(unsigned seed, const char *from, const char *to)
{
	static const uint32_t edges[] = {0, 1, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1 << 20, 1 << 30};
	static unsigned char bytes[1 << 20];
	FILE *in = fopen(from, "r"), *copy = fopen(to, "w");
	size_t n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
	if (!in || !copy || n < 64)
		die(from);
	srand(seed);
	for (int left = 1 + rand() % 4; left; left--) {
		size_t at = 24 + (size_t)rand() % (n - 32), digits = 0;
		switch (rand() % 4) {
		case 0:
			bytes[at] = (unsigned char)rand();
			break;
		case 1:
			bytes[at] ^= (unsigned char)(1 << rand() % 8);
			break;
		case 2:
			memcpy(bytes + at / 4 * 4, &edges[rand() % 8], 4);
			break;
		default:
			while (digits++ < n && (bytes[at] < '0' || bytes[at] > '9'))
				at = at + 1 < n ? at + 1 : 24;
			bytes[at] = (unsigned char)"0123456789kmgt"[rand() % 14];
		}
	}
	if (fwrite(bytes, 1, n, copy) != n || fclose(copy) != 0)
		die(to);
	fclose(in);
}

static int
limits(double seconds, long megabytes, char **argv)
{
	struct rusage u;
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid)
		die("wait");
	double took =
	    (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	if (took > seconds || u.ru_maxrss > megabytes << 10) {
		fprintf(stderr, "hostile: it took %.2f s and %ld MB\n", took, u.ru_maxrss >> 10);
		return 99;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

int
main(int argc, char **argv)
{
	if (argc < 3) {
		fputs(
		    "usage: hostile SHAPE FILE | map FILE… | unlinked N DIR | fuse FILE DIR | perfmap BYTES N | mutate SEED IN OUT | limits S MB CMD…\n",
		    stderr);
		return 2;
	}
	if (strcmp(argv[1], "map") == 0) {
		for (int i = 2; i < argc; i++)
			map(argv[i]);
		drop_rights(NOBODY);
		wait_for_end();
	} else if (strcmp(argv[1], "unlinked") == 0 && argc == 4) {
		unlinked((unsigned)atoi(argv[2]), argv[3]);
		drop_rights(NOBODY);
		wait_for_end();
	} else if (strcmp(argv[1], "fuse") == 0 && argc == 4) {
		fuse(argv[2], argv[3]);
	} else if (strcmp(argv[1], "perfmap") == 0 && argc == 4) {
		drop_rights(NOBODY);
		perfmap(atol(argv[2]), (unsigned)atoi(argv[3]));
	} else if (strcmp(argv[1], "limits") == 0 && argc > 4)
		return limits(atof(argv[2]), atol(argv[3]), argv + 4);
	else if (strcmp(argv[1], "mutate") == 0 && argc == 5)
		mutate((unsigned)atoi(argv[2]), argv[3], argv[4]);
	else
		make(argv[1], argv[2]);
	return 0;
}
