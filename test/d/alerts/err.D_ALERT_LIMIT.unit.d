/* An unknown unit is refused. */
alert p99(@wait) > 5sec;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
