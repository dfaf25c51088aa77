#!/usr/bin/env -S erltrace -qs
/*
 * What does one numbered probe of the program say? Those of erltrace:pn/1..9 and dyntrace:pn/1..9; N is the number.
 *
 *     ./user-probe-n.d -N NODE -C -D PROBE=user_trace-n42
 */

#ifndef PROBE
#error give -C -D PROBE=..., such as -C -D PROBE=user_trace-n42
#endif

erlang*:::PROBE
{
	printf("%s %s: %s %s %d %d %d %d '%s' '%s' '%s' '%s'\n", probename, "fired", copyinstr(arg0),
	    arg1 == NULL ? "" : copyinstr(arg1), arg2, arg3, arg4, arg5, arg6 == NULL ? "" : copyinstr(arg6),
	    arg7 == NULL ? "" : copyinstr(arg7), arg8 == NULL ? "" : copyinstr(arg8),
	    arg9 == NULL ? "" : copyinstr(arg9));
}
