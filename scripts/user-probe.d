#!/usr/bin/env -S erltrace -qs
/*
 * What do the program's own probes say? Those of erltrace:p/0..8 and dyntrace:p/0..8, and of user_trace_s1/1.
 *
 * Cost: only what the program's own probes cost.
 *
 *     erltrace -N NODE user-probe
 *
 * @needs node
 */
erlang*:::user_trace-s1
{
	printf("%s\n", copyinstr(arg0));
}

erlang*:::user_trace-i4s4
{
	printf("%s %s %d %d %d %d '%s' '%s' '%s' '%s'\n", copyinstr(arg0), arg1 == NULL ? "" : copyinstr(arg1), arg2,
	    arg3, arg4, arg5, arg6 == NULL ? "" : copyinstr(arg6), arg7 == NULL ? "" : copyinstr(arg7),
	    arg8 == NULL ? "" : copyinstr(arg8), arg9 == NULL ? "" : copyinstr(arg9));
}
