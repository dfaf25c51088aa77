/*
 * $pid, $ppid, $uid, $euid, $gid, $egid, $pgid and $sid are those of the command.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid);
	printf("%d %d %d %d\n", $euid >= 0, $egid >= 0, $pgid > 0, $sid >= 0);
	exit(0);
}
