/*
 * The usual typedefs of the system are there with the right sizes.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", sizeof (size_t), sizeof (ssize_t), sizeof (pid_t), sizeof (id_t));
	printf("%d %d %d %d\n", sizeof (uid_t), sizeof (gid_t), sizeof (off_t), sizeof (time_t));
	printf("%d %d %d %d\n", sizeof (uchar_t), sizeof (ushort_t), sizeof (uint_t), sizeof (ulong_t));
	exit(0);
}
