/* --help: one screen, with what people do first at the top. */
#include "cli/cli.h"

#include "base/outputs.h"

void
cli_usage(const struct cli *c, FILE *fp)
{
	const char *p = c->pname;
	fprintf(fp,
	    "%s: DTrace for Erlang. NODE is shop or shop@host; `man erltrace` has everything.\n\n"
	    "  %s -N                            which nodes run here\n"
	    "  %s -N NODE top                   what a node does, live: --by process|function, --sort COLUMN\n"
	    "  %s -N NODE MOD:FUN/ARITY         calls with arguments, results, times: 'lists:seq/2 /args[0] == 1/'\n"
	    "  %s [-N NODE] SCRIPT [ARGUMENT ...] a ready-made script; `%s scripts [NAME]` lists them\n"
	    "  %s [-N NODE] -n 'PROBE [/PREDICATE/] [{ ACTION }]' | -s SCRIPT.d [ARGUMENT ...]   any D program\n"
	    "  %s [-N NODE] -l [-v] [-n PROBE]  which probes there are, and their arguments\n"
	    "  %s serve [OPTIONS]               the page, in a browser: serve --help has more\n"
	    "  %s export FILE                   metrics for Prometheus: export --help has more\n\n",
	    p, p, p, p, p, p, p, p, p, p);
	fputs(
	    "What is traced\n"
	    "  -N NODE          an Erlang node; several: together; without a name: lists those of this machine\n"
	    "  --cluster NODE   this node and all that it knows; --hidden: hidden ones too\n"
	    "  --join           also nodes that join, or come back, while the script runs\n"
	    "  --dist-opts OPTIONS  of its distribution over TLS: '-ssl_dist_optfile FILE'\n"
	    "  --cookie COOKIE  its cookie, instead of $ERLTRACE_COOKIE or ~/.erlang.cookie\n"
	    "  -c COMMAND, -p PID   start a command, or take a process; $target is its id; ends with it\n"
	    "  -n NAME, -P PROVIDER, -m MODULE, -f FUNCTION, -i ID   probes, with predicate and action; or with -l a list\n"
	    "  -s FILE          a script      FILE.dobj  a D object, of --compile-only -o FILE.dobj\n"
	    "  -Z               descriptions may match nothing (yet)\n"
	    "  --scripts DIR    look there for ready-made scripts first\n"
	    "How long\n"
	    "  --for TIME       end after 500ms, 10s, 5m, 1h as exit(0) would; Ctrl-C ends it too\n"
	    "  --count N        lines of the calls of a function (100; 0: no limit)\n"
	    "What is shown\n"
	    "  --alert TO       also tell alert(): http://HOST:PORT/PATH gets JSON (Alertmanager too), or a command\n"
	    "  --top            the script's aggregations as sorted tables with rates, --sort rate|value|key\n"
	    "  --heatmap        its distributions over time\n"
	    "  --interval TIME  of top, --top and --heatmap (1s)\n"
	    "  -q               only what the program prints      -F  indented by calls\n"
	    "  -o FILE          append to FILE; FILE.svg: draw a picture of the aggregations at the end\n",
	    fp);
#define LINE(X, id, name, help) fprintf(fp, "  --%-15s%s\n", #name, help);
	ET_OUTPUTS(LINE, )
#undef LINE
	fputs("  -v               more: stability, arguments        -S  the code\n"
	      "Other\n"
	      "  -x OPT[=VALUE]   set an option: bufsize, aggsize, strsize, maxoverhead ...   -b SIZE  bufsize\n"
	      "  -w               permit destructive actions\n"
	      "  -e               compile and stop                  -l  list probes\n"
	      "  -C, -D NAME[=VALUE], -U NAME, -I DIR, -H, -X a|c|s|t   the C preprocessor      -L DIR  D libraries\n"
	      "  --help, -V, --version\n",
	    fp);
}
