# The kernel engine: the BPF runtime, built with clang and carried inside the library, and the table of system
# calls. Needs clang at build time only. The part inside the VM is built without it.
KERNEL_SRC := $(wildcard src/engine/kernel/*.c src/engine/kernel/lower/*.c src/engine/kernel/load/*.c src/provider/kernel/*.c)
KERNEL_OBJ := $(BUILD)/kernel/rt_object.o
LIBSRC := $(filter-out src/provider/without_kernel.c,$(LIBSRC)) $(KERNEL_SRC)
KERNEL_GEN := $(BUILD)/kernel/syscalls.inc
KERNEL_FLAGS := -I$(BUILD)/kernel -DET_WITH_KERNEL -DET_ARCH_$(MACHINE)
KERNEL_TESTS := $(BUILD)/test/kernel/engine_diff $(BUILD)/test/kernel/failing $(BUILD)/test/kernel/old_loops
# What has threads in it: of this process only, the rest would be slow for nothing.
KERNEL_TSAN := $(patsubst %,test/kernel/tst.%.sh,profile record syscall-count self fault)
# Not the NIF's objects, which are in $(BUILD)/nif; private, since the command, which carries the NIF, would hand it down to them.
$(BUILD)/obj/%.o: private CPPFLAGS += $(KERNEL_FLAGS)

$(BUILD)/kernel/rt_big.bpf.o: BPF_SCALE := -DRT_SCALE=16
$(BUILD)/kernel/rt.bpf.o $(BUILD)/kernel/rt_big.bpf.o: $(wildcard src/engine/kernel/rt/*.bpf.[ch]) src/engine/kernel/rt/rt.h $(wildcard src/arch/*.h) src/object/builtin.h src/object/subr.h src/object/procinfo.h
	@mkdir -p $(@D)
	$(call say,BPF,src/engine/kernel/rt/rt.bpf.c)
	$(Q)$(CLANG) -target bpf -ffreestanding -mcpu=v3 -O2 -g -Wall -Werror -Isrc -Isrc/engine/kernel/rt -DET_ARCH_$(MACHINE) $(BPF_SCALE) -c src/engine/kernel/rt/rt.bpf.c -o $@

$(BUILD)/kernel/rt_object.c: $(BUILD)/kernel/rt.bpf.o $(BUILD)/kernel/rt_big.bpf.o
	$(Q)(for f in $^; do n=kern_$$(basename $$f .bpf.o)_object; printf '_Alignas(16) const unsigned char %s[] = {' $$n; \
	  od -An -v -tx1 $$f | sed 's/ \(..\)/0x\1,/g'; printf '};\nconst unsigned %s_len = sizeof %s;\n' $$n $$n; done) >$@

$(KERNEL_OBJ): $(BUILD)/kernel/rt_object.c
	$(Q)$(CC) -fPIC -c $< -o $@

$(BUILD)/kernel/syscalls.inc:
	@mkdir -p $(@D)
	$(Q)(echo '#include <asm/unistd.h>'; echo '#include <asm/unistd.h>' | $(CC) -E -dM - | \
	  sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/{"\1", __NR_\1},/p') | $(CC) -E -P - | \
	  grep -E '^\{"[a-z0-9_]+", [0-9]+\},$$' | grep -v -E '"(syscalls|arch_specific_syscall)"' | sort -t, -k2n >$@

$(BUILD)/obj/src/provider/kernel/syscall.o: $(BUILD)/kernel/syscalls.inc

$(BUILD)/test/kernel/engine_diff: test/kernel/engine_diff.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MF $@.mk -MT $@ -o $@ $< $(BUILD)/liberltrace.a -lcmocka $(LDLIBS)
$(BUILD)/test/kernel/old_loops: test/kernel/old_loops.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MF $@.mk -MT $@ -o $@ $< $(BUILD)/liberltrace.a $(LDLIBS)
# Every step of the set-up fails in turn.
WRAPPED := malloc calloc realloc strdup strndup syscall ioctl mmap open fopen pthread_create eventfd
comma := ,
$(BUILD)/test/kernel/failing: test/oom/kernel.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MF $@.mk -MT $@ $(WRAPPED:%=-Wl$(comma)--wrap=%) -o $@ $< $(BUILD)/liberltrace.a $(LDLIBS)
-include $(KERNEL_TESTS:=.mk)

# Workloads with known counts, one after the other (they count over the whole machine), generated programs on both
# engines, and the D suite once more.
.PHONY: test-kernel
test-kernel: tests-built
	@rm -f $(BUILD)/results-kernel
	-@$(RUN) -r $(BUILD)/results-kernel -j1 -t 60 -l kernel $(KERNEL_TESTS) test/kernel
	-@$(RUN) -r $(BUILD)/results-kernel -E kernel -l 'D suite on the kernel engine' test/d
	@sh test/sum.sh $(BUILD)/results-kernel

# The same tests on other kernels, in qemu-system: slow, so not part of `make test`. test/kernels/run.sh tells the variables.
# ARCH=arm64: on an emulated arm64 (test/kernels/arm64.sh).
.PHONY: test-kernels
test-kernels:
	@sh test/setup.sh check $(if $(filter arm64,$(ARCH)),kernels-arm64,kernels)
	@$(AGAIN) tests-built
	@ARCH='$(ARCH)' RELEASE='$(RELEASE)' TESTS='$(TESTS)' KERNELS='$(KERNELS)' SUITE='$(SUITE)' sh test/kernels/run.sh $(BUILD)

# The VM's own USDT probes, with an OTP that is built for it once: sources from Debian, 5 to 20 minutes. Not part of `make test`.
OTP_USDT ?= $(or $(ERLTRACE_CACHE),$(BUILD))/otp-usdt
.PHONY: test-otp-usdt
test-otp-usdt:
	@sh test/setup.sh check otp-usdt
	@$(AGAIN) tests-built
	@sh test/otp-build.sh $(OTP_USDT) usdt || { [ $$? = 67 ] && echo 'SKIP otp-usdt' || exit 1; }
	@rm -f $(BUILD)/results-otp-usdt
	-@OTP_USDT=$(abspath $(OTP_USDT)) $(RUN) -r $(BUILD)/results-otp-usdt -j1 -t 90 -l 'USDT of OTP' test/otp-usdt
	@sh test/sum.sh $(BUILD)/results-otp-usdt

# Beside bpftrace and a BPF program that does nothing; BENCH_ROUNDS: more is steadier.
.PHONY: bench-kernel
bench-kernel:
	@sh test/setup.sh check bench
	@$(AGAIN) all
	@sh bench/kernel/run.sh $(BUILD) $(BENCH_ROUNDS)
