/*
 * Asserts that keys that do not fit the aggregation buffer are dropped and reported.
 */

#pragma D option quiet
#pragma D option aggsize=4k

BEGIN
{
	@[0] = quantize(0);
	@[1] = quantize(1);
	@[2] = quantize(2);
	@[3] = quantize(3);
	@[4] = quantize(4);
	@[5] = quantize(5);
	@[6] = quantize(6);
	@[7] = quantize(7);
	@[8] = quantize(8);
	@[9] = quantize(9);
	@[10] = quantize(10);
	@[11] = quantize(11);
	@[12] = quantize(12);
	@[13] = quantize(13);
	@[14] = quantize(14);
	@[15] = quantize(15);
	@[16] = quantize(16);
	@[17] = quantize(17);
	@[18] = quantize(18);
	@[19] = quantize(19);
	@[20] = quantize(20);
	@[21] = quantize(21);
	@[22] = quantize(22);
	@[23] = quantize(23);
	@[24] = quantize(24);
	@[25] = quantize(25);
	@[26] = quantize(26);
	@[27] = quantize(27);
	@[28] = quantize(28);
	@[29] = quantize(29);
	@[30] = quantize(30);
	@[31] = quantize(31);
	@[32] = quantize(32);
	@[33] = quantize(33);
	@[34] = quantize(34);
	@[35] = quantize(35);
	@[36] = quantize(36);
	@[37] = quantize(37);
	@[38] = quantize(38);
	@[39] = quantize(39);
	@[40] = quantize(40);
	@[41] = quantize(41);
	@[42] = quantize(42);
	@[43] = quantize(43);
	@[44] = quantize(44);
	@[45] = quantize(45);
	@[46] = quantize(46);
	@[47] = quantize(47);
	@[48] = quantize(48);
	@[49] = quantize(49);
	@[50] = quantize(50);
	@[51] = quantize(51);
	@[52] = quantize(52);
	@[53] = quantize(53);
	@[54] = quantize(54);
	@[55] = quantize(55);
	@[56] = quantize(56);
	@[57] = quantize(57);
	@[58] = quantize(58);
	@[59] = quantize(59);
	@[60] = quantize(60);
	@[61] = quantize(61);
	@[62] = quantize(62);
	@[63] = quantize(63);
	@[64] = quantize(64);
	@[65] = quantize(65);
	@[66] = quantize(66);
	@[67] = quantize(67);
	@[68] = quantize(68);
	@[69] = quantize(69);
	@[70] = quantize(70);
	@[71] = quantize(71);
	@[72] = quantize(72);
	@[73] = quantize(73);
	@[74] = quantize(74);
	@[75] = quantize(75);
	@[76] = quantize(76);
	@[77] = quantize(77);
	@[78] = quantize(78);
	@[79] = quantize(79);
	exit(0);
}
