/* An alert has no such function. */
alert median(@wait) > 5ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
