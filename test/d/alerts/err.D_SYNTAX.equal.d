/* An alert compares by order only. */
alert p99(@wait) == 5ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
