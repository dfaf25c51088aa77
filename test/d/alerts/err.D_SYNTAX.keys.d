/* An alert is about all keys. */
alert p99(@wait["a"]) > 5ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
