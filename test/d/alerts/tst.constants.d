/* Limits may be constant expressions and macro arguments, with their unit behind them or in them. */
/* @@opts: -xquiet */
/* @@args: 40ms 3 */
inline int LIMIT = 20;
alert p50(@wait) > $1 "a";
alert p50(@wait) > ($2 ? $2 : 100) ms "b";
alert p50(@wait) > LIMIT * 2 ms until (LIMIT + 10) ms over 5s "c";
alert p50(@wait) > 0x10 ms "d";
BEGIN
{
	@wait = quantize(90000000);
	trunc(@wait);
	exit(0);
}
