/*
 * A name that is an enumerator of the other side's type and a variable too.
 */
#pragma D option quiet

enum what { pid, other };
enum what v;

BEGIN
/v == pid/
{
	exit(0);
}
