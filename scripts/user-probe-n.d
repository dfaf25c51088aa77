#!/usr/bin/env -S erltrace -qs
/*
 * What does one numbered probe of the program say? Those of erltrace:pn/1..9 and dyntrace:pn/1..9, by its number.
 *
 * Cost: only what the program's own probes cost.
 *
 *     erltrace -N NODE user-probe-n NUMBER
 *
 * @needs node
 * @arg NUMBER number: of the probe, 0 to 950
 */
erlang*:::user_trace-n$1
{
	printf("%s %s: %s %s %d %d %d %d '%s' '%s' '%s' '%s'\n", probename, "fired", copyinstr(arg0),
	    arg1 == NULL ? "" : copyinstr(arg1), arg2, arg3, arg4, arg5, arg6 == NULL ? "" : copyinstr(arg6),
	    arg7 == NULL ? "" : copyinstr(arg7), arg8 == NULL ? "" : copyinstr(arg8),
	    arg9 == NULL ? "" : copyinstr(arg9));
}
