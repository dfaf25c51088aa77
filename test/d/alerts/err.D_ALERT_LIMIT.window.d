/* A window is at least a second. */
alert p99(@wait) > 5ms over 10ms;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
