/* alert is no reserved word: it may name variables, types and probes as before. */
#pragma D option quiet
typedef int alert;
alert seven;
BEGIN
{
	seven = 7;
	this->alert = (alert)seven;
	printf("%d\n", this->alert);
	exit(0);
}
