/*
 * A string variable of any kind that is given NULL compares equal to NULL.
 */
#pragma D option quiet

string g;
this string t;
self string s;
string a[int];

BEGIN
{
	g = "x";
	this->t = "x";
	self->s = "x";
	a[1] = "x";
	g = strtok(",", ",");
	this->t = strchr("abc", 'x');
	self->s = strstr("abc", "x");
	a[1] = json("{}", "a");
	printf("%d %d %d %d\n", g == NULL, this->t == NULL, self->s == NULL, a[1] == NULL);
	exit(0);
}
