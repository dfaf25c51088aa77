/* An alert cannot be over before it begins. */
alert p99(@wait) > 5ms until 6ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
