/*
 * An alert over an aggregation is told for each key for which it is true, with the text as printa() would write it:
 * keys in their order, %@d the value in the unit of the limit. Without a text the condition is shown. What is true when
 * the script ends is told, too.
 */
#pragma D option quiet
/* @@sort */

alert p99(@wait) > 50ms "p99 %s %@d ms";
alert p50(@wait) >= 1us "p50 %s %@d us";
alert p999(@linear in ms) > 1s "p999 %@d";
alert count(@calls) > 2 "count %s/%d %@d";
alert count(@calls) > 2;
alert sum(@bytes) >= 300 "sum %@d";
alert avg(@mean) < 6 over 1h "never: the window is not half full yet";
alert avg(@mean) > 4 "avg %@d";
alert min(@least) > 2 "min %@d";
alert max(@most) > 8 "max %@d";
alert max(@most) > 9 "never";
alert stddev(@spread) > 1 "stddev %@d";
alert rate(@flow) > 0 "rate %s";
alert count(@wait) > 99999 "never";

BEGIN
{
	@wait["fast"] = quantize(1000);
	@wait["slow"] = quantize(100000000);
	@linear = lquantize(1500, 0, 2000, 100);
	@calls["a", 1] = count();
	@calls["a", 1] = count();
	@calls["a", 1] = count();
	@calls["b", 2] = count();
	@flow["a"] = sum(1000000000);
	@bytes = sum(100);
	@bytes = sum(200);
	@mean = avg(3);
	@mean = avg(7);
	@least = min(3);
	@least = min(9);
	@most = max(9);
	@most = max(3);
	@spread = stddev(1);
	@spread = stddev(9);
	clear(@wait);
	trunc(@wait);
	trunc(@linear);
	trunc(@calls);
	trunc(@flow);
	trunc(@bytes);
	trunc(@mean);
	trunc(@least);
	trunc(@most);
	trunc(@spread);
	exit(0);
}
