/*
 * exit() inside if ends tracing only when it runs.
 */
/* @@exit: 3 */
#pragma D option quiet

BEGIN
{
	if (pid == 0) {
		exit(5);
	} else {
		exit(3);
	}
}
