/* A number of values is no time. */
alert count(@wait) > 5ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
