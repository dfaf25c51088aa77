// The words of D, each with its meaning, and how braces nest. It needs nothing else.
// Aggregating functions are not here: the server tells the page about them.
const words = (s) => s.trim().split(/\s+/);
// One per line: the name, then what it is.
const table = (s) =>
	Object.fromEntries(
		s
			.trim()
			.split("\n")
			.map((l) => /^\s*(\S+)\s+(.*)$/.exec(l).slice(1)),
	);

export const KEYWORDS = words(`self this inline if else sizeof stringof offsetof translator provider typedef struct union
	enum int char short long unsigned signed void string uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t`);

export const BUILTINS = table(`
	arg0 first argument of the probe
	arg1 second argument
	arg2 third argument
	arg3 fourth argument
	arg4 fifth argument
	arg5 sixth argument
	arg6 seventh argument
	arg7 eighth argument
	arg8 ninth argument
	arg9 tenth argument
	args arguments with their types
	caller where the probe's function was called from
	chip chip of the CPU
	cpu CPU
	curcpu the CPU, as a structure
	curlwpsinfo the thread, as a structure
	curpsinfo the process, as a structure
	curthread the thread's address in the kernel
	cwd working directory
	emfa the Erlang function that the process was scheduled in with, or that the event is about
	epid id of the enabled probe
	eproc the Erlang process
	errno error of the last system call
	execargs arguments of the program
	execname name of the program
	fds open files by descriptor
	gid group id
	id id of the probe
	ipl interrupt level
	lgrp locality group of the CPU
	node name of the Erlang node
	pid process id
	ppid id of the parent process
	probefunc function of the probe
	probemod module of the probe
	probename name of the probe
	probeprov provider of the probe
	pset processor set
	root root directory
	stackdepth how deep the stack is
	threadname name of the thread
	tid thread id
	timestamp ns, for differences
	ucaller where the function was called from, in the program
	uid user id
	uregs registers of the program
	ustackdepth how deep the program's stack is
	vtimestamp ns on the CPU
	walltimestamp ns since 1970
	zonename name of the zone`);

export const FUNCTIONS = table(`
	alert prints by a format, at once
	alloca room for bytes
	basename last part of a path
	bcopy copies bytes
	cleanpath a path without . and ..
	clear empties an aggregation
	commit keeps a speculation
	copyin bytes at an address
	copyinstr text at an address
	copyinto bytes at an address, into a buffer
	d_path path of a file in the kernel
	denormalize undoes normalize()
	dirname a path without its last part
	discard drops a speculation
	exit ends the script
	func function at an address
	getmajor major number of a device
	getminor minor number of a device
	htonl to network order, 32 bits
	htonll to network order, 64 bits
	htons to network order, 16 bits
	index place of a text in another
	inet_ntoa IPv4 address as text
	inet_ntoa6 IPv6 address as text
	inet_ntop address as text
	json member of a JSON text
	jstack stack of the program, with names
	link_ntop link address as text
	lltostr number as text
	mod module at an address
	mutex_owned whether the current thread has the mutex
	mutex_owner the thread that has the mutex, or NULL
	mutex_type_adaptive whether waiting for the lock sleeps
	mutex_type_spin whether waiting for the lock spins
	normalize divides what is shown
	ntohl from network order, 32 bits
	ntohll from network order, 64 bits
	ntohs from network order, 16 bits
	print a value with its type
	printa prints an aggregation
	printf prints by a format
	progenyof whether a process descends from another
	rand a random number
	rindex last place of a text in another
	rw_iswriter whether a writer has the lock or waits for it
	rw_read_held whether readers have the lock
	rw_write_held whether a writer has the lock
	setopt sets an option
	speculate prints into a speculation
	speculation a new speculation
	stack stack of the kernel or of the Erlang process
	strchr rest of a text from a character on
	strjoin joins two texts
	strlen length of a text
	strrchr rest of a text from the last such character on
	strstr finds a text in another
	strtok takes a text apart
	strtoll text as a number
	substr part of a text
	sym symbol at an address
	tolower in small letters
	toupper in capital letters
	trace prints a value
	tracemem prints memory
	trunc removes all but the largest
	uaddr address in the program, with symbol
	ufunc function in the program
	umod module in the program
	ustack stack of the program
	usym symbol in the program
	atom an Erlang atom as text
	binary an Erlang binary as text
	byte_size bytes of an Erlang binary
	element element of a tuple: number, tuple
	hd head of an Erlang list
	iolist_size bytes of an io-list
	is_atom whether a term is an atom
	is_binary whether a term is a binary
	is_bitstring whether a term is a bitstring
	is_boolean whether a term is true or false
	is_float whether a term is a float
	is_function whether a term is a function
	is_integer whether a term is an integer
	is_list whether a term is a list
	is_map whether a term is a map
	is_map_key whether a map has a key: key, map
	is_number whether a term is a number
	is_pid whether a term is a process
	is_port whether a term is a port
	is_reference whether a term is a reference
	is_tuple whether a term is a tuple
	length length of an Erlang list
	map_get value in a map: key, map
	map_size number of keys of a map
	term_int an Erlang integer
	text an Erlang term as text
	tl tail of an Erlang list
	tuple_size size of a tuple`);

// How deep in braces a text ends. Comments and strings do not count.
export function depthOf(text) {
	const code = text.replace(/\/\*[^]*?(\*\/|$)|"(?:[^"\\\n]|\\.)*"?/g, " ");
	return (code.match(/{/g) || []).length - (code.match(/}/g) || []).length;
}
