# erltrace. `make demo` and `make test` are the two main commands; see README.md. `make check` runs the tests that a
# change needs most.
#
# Variables: BUILD (folder, default build), PREFIX and DESTDIR (install), CC, CFLAGS, V=1 (prints the commands),
# SAN=address (ASan and UBSan) or SAN=thread, TINY=1 (tiny tables, so that tests reach their limits), KERNEL=0 (without
# the kernel engine), KERNEL=1 (with it: set-up installs clang), WEB=0 (without the page), PORTABLE=0 (a command for this
# machine's glibc and newer ones only), STATIC (see src/release/release.mk), DEMO_SECONDS, FUZZ_SECONDS (for each fuzz
# target), BENCH_ARGS, RELEASES (of test-fresh and test-otp) and COMMANDS (of test-fresh). $ERLTRACE_CACHE:
# a folder for what is fetched or built once, instead of BUILD.

VERSION := $(shell sed -n 's/^\#define ET_VERSION_TEXT "\(.*\)"/\1/p' include/erltrace.h)
ifeq ($(VERSION),)
VERSION := 1.0.0
endif
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

ifeq ($(origin CC),default)
CC := gcc
endif
SAN ?=
TINY ?=
ifneq ($(SAN)$(TINY),)
BUILD ?= build/$(if $(SAN),$(SAN))$(if $(TINY),tiny)
else
BUILD ?= build
endif
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60

# One short line per file; V=1 prints the commands themselves, -s nothing.
V ?=
ifeq ($(filter-out 0,$(V)),)
Q := @
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say = @printf '%-4s %s\n' '$(1)' '$(2)'
endif
endif

CFLAGS ?= -O2 -g
CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
WARN = -std=c11 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
LDLIBS += -pthread -lm

ifeq ($(SAN),address)
SANFLAGS = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1
else ifeq ($(SAN),thread)
SANFLAGS = -fsanitize=thread -fno-omit-frame-pointer -O1
else ifneq ($(SAN),)
$(error SAN is "address" or "thread", not "$(SAN)")
endif
ifneq ($(TINY),)
CPPFLAGS += -DET_TINY
endif

# The part inside the VM is the same file in a static build.
NIF_CC := $(CC)
include src/release/release.mk

without = 'erltrace is built without $(1), which needs $(2)'
LIBSRC := $(wildcard src/base/*.c src/arch/*.c src/lang/*.c src/gen/*.c src/object/*.c src/btf/*.c src/engine/user/*.c src/provider/*.c src/sym/*.c src/consume/*.c src/show/*.c src/api/*.c)

# Erlang: attaching to nodes needs ei (Debian: erlang-dev), and the part inside the VM needs erlc. Without them the
# command is built without -N.
ERL_ROOT ?= /usr/lib/erlang
EI_HEADER := $(wildcard $(ERL_ROOT)/usr/include/ei.h)
ERLC := $(shell command -v erlc 2>/dev/null)
ifneq ($(EI_HEADER),)
LIBSRC += $(wildcard src/node/*.c)
CPPFLAGS += -I$(ERL_ROOT)/usr/include -DET_WITH_EI
LDLIBS += $(if $(STATIC),-lei,-L$(ERL_ROOT)/usr/lib -lei)
ifneq ($(ERLC),)
OTP_APP := $(BUILD)/otp/erltrace
endif
else
LIBSRC += src/node/beam.c src/node/epmd.c src/node/local.c src/node/ns.c src/node/wait.c src/node/within.c # finding nodes needs no ei
endif
ERLC_WARN := -Wall $(filter -Werror,$(CFLAGS))
# The node may have an older OTP than this compiler, so that is asked for code which older ones can load: OTP 25's if it
# can make that, otherwise of three releases back.
OTP_RELEASE := $(lastword $(sort $(notdir $(wildcard $(ERL_ROOT)/releases/[2-9][0-9]))))
ERLC_FOR := $(if $(filter 26 27 28,$(OTP_RELEASE)),+r25,$(if $(filter 29,$(OTP_RELEASE)),+r26))
ERLC_FOR += $(if $(ERLC_FOR),-disable-feature maybe_expr)
NIFSRC := $(wildcard otp/erltrace/c_src/*.c)
ERLSRC := $(wildcard otp/erltrace/src/*.erl)
BEAMS := $(ERLSRC:otp/erltrace/src/%.erl=$(BUILD)/otp/erltrace/ebin/%.beam)
CLISRC := $(filter-out $(if $(OTP_APP),,src/cli/carried.c),$(wildcard src/cli/*.c src/picture/*.c src/alert/*.c)) $(if $(EI_HEADER),$(wildcard src/port/*.c))
UNITSRC := $(wildcard test/unit/*.c)
TESTBEAMS := $(if $(OTP_APP),$(patsubst test/erlang/%.erl,$(BUILD)/test/erlang/%.beam,$(wildcard test/erlang/*.erl)))
BENCHBEAMS := $(if $(OTP_APP),$(patsubst bench/erlang/%.erl,$(BUILD)/bench/erlang/%.beam,$(wildcard bench/erlang/*.erl)))
BENCHSRC := $(wildcard bench/*.c)
FUZZSRC := $(wildcard fuzz/fuzz_*.c)
include src/dlib/dlib.mk
include src/web/web.mk
include src/cli/cli.mk
# The kernel engine (docs/kernel.md) is built if clang is there to make its BPF part and the engine knows the processor
# (src/arch/arch.h). KERNEL=0 leaves it out.
CLANG ?= clang
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
KERNEL_ARCH := $(wildcard src/arch/$(MACHINE).h)
KERNEL_ASKED := $(if $(filter command environment,$(origin KERNEL)),$(KERNEL))
KERNEL ?= $(if $(KERNEL_ARCH),$(if $(shell $(CLANG) -print-targets 2>/dev/null | grep -w bpf),1,0),0)
ifneq ($(filter-out 0,$(KERNEL)),)
include src/engine/kernel/kernel.mk
endif
# What this build lacks, though nobody asked for that.
NOTES := $(if $(OTP_APP),,$(call without,-N and what runs in a node,Erlang: erlang-base and erlang-dev)) \
  $(if $(WEBSRC)$(filter command environment,$(origin WEB)),,$(call without,the page,libwebsockets-dev and libjansson-dev)) \
  $(if $(filter-out 0,$(KERNEL))$(KERNEL_ASKED),,$(call without,the kernel engine,$(if $(KERNEL_ARCH),clang,x86-64 or arm64)))
LIBOBJ := $(LIBSRC:%.c=$(BUILD)/obj/%.o) $(KERNEL_OBJ)
CLIOBJ := $(CLISRC:%.c=$(BUILD)/obj/%.o)
UNITS := $(UNITSRC:test/unit/%.c=$(BUILD)/test/unit/%)
BENCHES := $(BENCHSRC:bench/%.c=$(BUILD)/bench/%)
FUZZERS := $(FUZZSRC:fuzz/%.c=$(BUILD)/fuzz/%)
SONAME := liberltrace.so.$(SOVERSION)
COMPILE = $(CC) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS) $(WARN) -pthread -MMD -MP
# Every build folder has its own compiler and flags; changing them rebuilds.
FLAGS_NOW := $(CC) $(CPPFLAGS) $(KERNEL_FLAGS) $(CFLAGS) $(SANFLAGS) $(CLILIBS)

.DEFAULT_GOAL := all
.PHONY: all test check demo bench fuzz install uninstall setup format format-check lint lint-tidy clean suite tests-built fuzz-built fuzz-smoke FORCE

all: $(BUILD)/erltrace $(BUILD)/liberltrace.so $(BUILD)/erltrace.pc $(if $(OTP_APP),otp-app)
	$(if $(strip $(NOTES)),@printf '%s\n' $(NOTES))

# A compiler that is killed may leave half a file.
.DELETE_ON_ERROR:

# Variables of this file reflect the machine when make began. So targets that install packages first run a second make,
# which looks again.
AGAIN = $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' >$@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -fPIC -c $< -o $@

$(BUILD)/liberltrace.a: $(LIBOBJ)
	$(call say,AR,$@)
	@rm -f $@
	$(Q)ar qcs $@ $^

# Only the et_ functions of erltrace.h are exported.
$(BUILD)/$(SONAME): $(LIBOBJ) src/liberltrace.map
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SANFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/liberltrace.map -o $@ $(LIBOBJ) $(LDLIBS)

$(BUILD)/liberltrace.so: $(BUILD)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

$(BUILD)/erltrace: $(CLIOBJ) $(BUILD)/liberltrace.a $(OLD_GLIBC_OBJ) $(OLD_GLIBC)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SANFLAGS) -o $@ $(filter %.o %.a,$^) $(CLILIBS) $(LDLIBS) $(OLD_GLIBC_LIBS)$(if $(OLD_GLIBC), || \
	  { echo 'If functions of the C library are missing: make PORTABLE=0 makes a command for this machine only.' >&2; exit 1; })

$(BUILD)/erltrace.pc: Makefile $(BUILD)/flags
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' 'Name: erltrace' \
	  'Description: DTrace for Erlang on Linux' 'Version: $(VERSION)' 'Libs: -L$${libdir} -lerltrace' \
	  'Libs.private: $(LDLIBS)' 'Cflags: -I$${includedir}' >$@

# The part inside the VM is never built with sanitizers, because a stock VM does not have their runtime.
.PHONY: otp-app otp-native
# The parts that are not Erlang, for rebar3 and mix, which compile the modules themselves.
otp-native: $(BUILD)/otp/erltrace/priv/erltrace_tracer.so $(BUILD)/otp/erltrace/priv/erltrace
otp-app: otp-native $(FOREIGN_LIBS) $(BEAMS) $(BUILD)/otp/erltrace/ebin/erltrace.app

# One file for every C library: it is linked with none, and the compiler must not add calls that only some have
# (otp/erltrace/c_src/libc.c). With sanitizers it needs their libraries.
NIF_FLAGS = $(WARN) -pthread -fPIC -fvisibility=hidden -fno-stack-protector -U_FORTIFY_SOURCE
NIF_BUILD = $(NIF_CC) $(CPPFLAGS) $(CFLAGS) $(NIF_FLAGS)
NIF_LINK = $(if $(findstring -fsanitize,$(CFLAGS)),,-nostdlib) -Wl,-Bsymbolic -Wl,--gc-sections
NIF_LIB := $(sort $(filter src/base/% src/object/% src/engine/user/% src/provider/%.c src/node/wire.c src/node/wire_merge.c,$(filter-out src/provider/kernel/%,$(LIBSRC))) src/provider/without_kernel.c)
$(BUILD)/nif/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$< (for the VM))
	$(Q)$(NIF_BUILD) -MMD -MP -c $< -o $@

# The sites of its probes: assembler source that a program writes from the table of probes. It runs here, also if CC makes
# programs for another processor.
BUILD_CC ?= $(if $(filter $(shell uname -m),$(MACHINE)),$(NIF_CC),gcc)
$(BUILD)/nif/make_sites: otp/erltrace/c_src/sites/make_sites.c src/provider/erlang_probes.h $(wildcard src/arch/*.[ch]) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$< (for the build))
	$(Q)$(BUILD_CC) -Isrc -O1 $(WARN) -o $@ $(filter %.c,$^)
$(BUILD)/nif/sites.s: $(BUILD)/nif/make_sites
	$(Q)$< $(MACHINE) >$@.new && mv $@.new $@
$(BUILD)/nif/sites.o: $(BUILD)/nif/sites.s
	$(Q)$(NIF_CC) -c -o $@ $<

$(BUILD)/otp/erltrace/priv/erltrace_tracer.so: $(NIFSRC:%.c=$(BUILD)/nif/%.o) $(NIF_LIB:%.c=$(BUILD)/nif/%.o) $(BUILD)/nif/sites.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(NIF_CC) $(CFLAGS) -shared $(NIF_LINK) -o $@ $^ -lgcc

# The same for nodes on other processors, if there is a compiler for them here (Debian: gcc-aarch64-linux-gnu). OTP's
# header files are the same on all of 64 bits. Without -mno-outline-atomics gcc asks for a function that only glibc has.
FOREIGN := $(if $(OTP_APP),$(foreach m,$(filter-out $(MACHINE),x86_64 aarch64),$(if $(shell command -v $(m)-linux-gnu-gcc 2>/dev/null),$(m))))
FOREIGN_BUILD_aarch64 := -mno-outline-atomics
FOREIGN_CFLAGS = $(filter-out -Werror -fsanitize%,$(CFLAGS))
define for_machine
$(BUILD)/nif-$(1)/%.o: %.c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$< (for the VM on $(1)))
	$$(Q)$(1)-linux-gnu-gcc $$(CPPFLAGS) $$(FOREIGN_CFLAGS) $$(NIF_FLAGS) $$(FOREIGN_BUILD_$(1)) -MMD -MP -c $$< -o $$@

$(BUILD)/nif-$(1)/sites.o: $(BUILD)/nif/make_sites
	@mkdir -p $$(@D)
	$$(Q)$$< $(1) >$$(@D)/sites.s && $(1)-linux-gnu-gcc -c -o $$@ $$(@D)/sites.s

$(BUILD)/otp/erltrace/priv/$(1)/erltrace_tracer.so: $(patsubst %.c,$(BUILD)/nif-$(1)/%.o,$(NIFSRC) $(NIF_LIB)) $(BUILD)/nif-$(1)/sites.o
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)
	$$(Q)$(1)-linux-gnu-gcc $$(FOREIGN_CFLAGS) -shared $$(NIF_LINK) -o $$@ $$^ -lgcc
	$$(Q)$(1)-linux-gnu-strip -S $$@
endef
$(foreach m,$(FOREIGN),$(eval $(call for_machine,$(m))))
FOREIGN_LIBS := $(FOREIGN:%=$(BUILD)/otp/erltrace/priv/%/erltrace_tracer.so)

# The command carries the agent's modules and the libraries, without debug information. The node unpacks the libraries.
$(BUILD)/otp/carried-$(MACHINE).gz: $(BUILD)/otp/erltrace/priv/erltrace_tracer.so
	$(Q)$$($(NIF_CC) -print-prog-name=strip) -S -o $@.so $< && gzip -9nc $@.so >$@ && rm $@.so
$(FOREIGN:%=$(BUILD)/otp/carried-%.gz): $(BUILD)/otp/carried-%.gz: $(BUILD)/otp/erltrace/priv/%/erltrace_tracer.so
	$(Q)gzip -9nc $< >$@
CARRIED := $(MACHINE) $(FOREIGN)
# What attaching sends: all modules of the agent in two.
in_list = $(filter-out erltrace_tunnel,$(shell sed -n 's/.*$(1)(\(erltrace_[a-z]*\)).*/\1/p' src/node/agent_modules.h))
AGENT_SENT := $(patsubst %,$(BUILD)/otp/erltrace/priv/agent/%.beam,$(call in_list,M))
AGENT_BEAMS := $(patsubst %,$(BUILD)/otp/erltrace/ebin/%.beam,$(call in_list,M) $(call in_list,B))
$(lastword $(AGENT_SENT)): otp/erltrace/bundle.escript $(AGENT_BEAMS)
	$(call say,ERL,$@)
	$(Q)escript $< $(@D) $(filter +r%,$(ERLC_FOR)) $(AGENT_BEAMS)
$(firstword $(AGENT_SENT)): $(lastword $(AGENT_SENT))
	@touch $@
$(BUILD)/obj/src/cli/carried.o: $(AGENT_SENT) $(BUILD)/otp/erltrace/ebin/erltrace_tunnel.beam $(CARRIED:%=$(BUILD)/otp/carried-%.gz)
$(BUILD)/obj/src/cli/carried.o $(BUILD)/lint/src/cli/carried.ok: private CPPFLAGS += -DOTP_APP='"$(OTP_APP)"' -D'CARRIED_LIBRARIES(M)=$(foreach m,$(CARRIED),M($(m)))'

# The application's own copy of the command, which it runs as a port.
$(BUILD)/otp/erltrace/priv/erltrace: $(BUILD)/erltrace
	@mkdir -p $(@D)
	$(Q)ln -f $< $@ 2>/dev/null || cp $< $@

$(BUILD)/otp/erltrace/ebin/%.beam: otp/erltrace/src/%.erl
	@mkdir -p $(@D)
	$(call say,ERLC,$<)
	$(Q)erlc +debug_info $(ERLC_FOR) $(ERLC_WARN) -o $(@D) $<

$(BUILD)/otp/erltrace/ebin/erltrace.app: otp/erltrace/src/erltrace.app.src Makefile
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include \
	  $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/erltrace/scripts
	install -m 755 $(BUILD)/erltrace $(DESTDIR)$(PREFIX)/bin/
	install -m 755 $(BUILD)/$(SONAME) $(DESTDIR)$(PREFIX)/lib/
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/liberltrace.so
	install -m 644 $(BUILD)/liberltrace.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/erltrace.h $(DESTDIR)$(PREFIX)/include/
	sed 's|^prefix=.*|prefix=$(PREFIX)|' $(BUILD)/erltrace.pc >$(DESTDIR)$(PREFIX)/lib/pkgconfig/erltrace.pc
	install -m 644 docs/erltrace.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 644 completions/erltrace.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/erltrace
	install -m 644 completions/_erltrace $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	for f in $(wildcard scripts/*.d); do install -m 755 $$f $(DESTDIR)$(PREFIX)/share/erltrace/scripts/ || exit; done
ifneq ($(EXPORTSRC),)
	install -d $(DESTDIR)$(PREFIX)/share/erltrace/metrics $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 $(wildcard scripts/metrics/*) $(DESTDIR)$(PREFIX)/share/erltrace/metrics/
	sed 's|/usr/local/bin|$(PREFIX)/bin|' examples/erltrace-export.service >$(DESTDIR)$(PREFIX)/lib/systemd/system/erltrace-export.service
	chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/erltrace-export.service
endif
ifneq ($(OTP_APP),)
	install -d $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/ebin $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/priv/agent
	install -m 644 $(BEAMS) $(OTP_APP)/ebin/erltrace.app $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/ebin/
	install -m 755 $(OTP_APP)/priv/erltrace_tracer.so $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/priv/
	install -m 644 $(AGENT_SENT) $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/priv/agent/
	for m in $(FOREIGN); do install -D -m 755 $(OTP_APP)/priv/$$m/erltrace_tracer.so \
	  $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/priv/$$m/erltrace_tracer.so || exit; done
	ln -sf ../../../../../bin/erltrace $(DESTDIR)$(PREFIX)/lib/erltrace/otp/erltrace/priv/erltrace
endif

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/erltrace $(DESTDIR)$(PREFIX)/lib/liberltrace.so* $(DESTDIR)$(PREFIX)/lib/liberltrace.a \
	  $(DESTDIR)$(PREFIX)/include/erltrace.h $(DESTDIR)$(PREFIX)/lib/pkgconfig/erltrace.pc \
	  $(DESTDIR)$(PREFIX)/share/man/man1/erltrace.1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions/erltrace \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_erltrace $(DESTDIR)$(PREFIX)/lib/systemd/system/erltrace-export.service
	rm -rf $(DESTDIR)$(PREFIX)/share/erltrace $(DESTDIR)$(PREFIX)/lib/erltrace

# Installs what building and testing need and the machine lacks. Does nothing if everything is there.
setup:
	@sh test/setup.sh test

# -- tests ---------------------------------------------------------------------------------------------------------

$(BUILD)/test/unit/%: test/unit/%.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Itest/unit -MF $@.mk -MT $@ -o $@ $< $(BUILD)/liberltrace.a -lcmocka $(LDLIBS)

$(BUILD)/test/run: test/runner.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -D_GNU_SOURCE -O1 -g $(WARN) -o $@ $<

$(BUILD)/test/oom: test/oom/oom.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MF $@.mk -MT $@ -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup \
	  -o $@ $< $(BUILD)/liberltrace.a $(LDLIBS)

$(BUILD)/test/erlang/%.beam: test/erlang/%.erl
	@mkdir -p $(@D)
	$(call say,ERLC,$<)
	$(Q)erlc $(ERLC_WARN) -o $(@D) $<

# Runs a command on a pseudo-terminal.
$(BUILD)/test/pty: test/pty.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -D_GNU_SOURCE -O1 -g $(WARN) -o $@ $<

# Makes files, maps and processes as an enemy would.
$(BUILD)/test/hostile: fuzz/hostile.c fuzz/hostile_fuse.c fuzz/hostile.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -D_GNU_SOURCE -O1 -g $(WARN) -o $@ $(filter %.c,$^)

tests-built: all $(UNITS) $(BUILD)/test/run $(BUILD)/test/oom $(BUILD)/test/hostile $(BUILD)/test/pty $(TESTBEAMS) $(KERNEL_TESTS)

# What runs on one build. Results are gathered in $(RESULTS).
RESULTS ?= $(BUILD)/results
LABEL = $(if $(SAN)$(TINY),$(SAN)$(if $(TINY),tiny) ,)
RUN = SAN=$(SAN) TINY=$(TINY) CC=$(CC) $(BUILD)/test/run -e $(BUILD)/erltrace -b $(BUILD) -r $(RESULTS)

# Other OTP releases for tests that want one with trace sessions, or nodes of several.
CACHE = $(or $(ERLTRACE_CACHE),$(BUILD))
OTHER_OTP = $(foreach r,27 29,OTP$(r)="$${OTP$(r)-$$(sh test/otp-fetch.sh $(CACHE)/otp$(r) $(r))}"; export OTP$(r);)

suite: tests-built
	-@$(RUN) -l '$(LABEL)unit' $(UNITS) $(BUILD)/test/oom
	-@$(RUN) -t 30 -l '$(LABEL)D suite' test/d
	-@$(RUN) -t 30 -l '$(LABEL)command line' test/cli
	$(if $(KERNEL_TESTS),-@$(RUN) -j1 -t 60 -l '$(LABEL)kernel' $(KERNEL_TESTS) $(if $(filter thread,$(SAN)),$(KERNEL_TSAN),test/kernel),@echo 'SKIP kernel: built without the kernel engine')
	$(if $(KERNEL_TESTS),$(if $(SAN)$(TINY),,-@$(RUN) -t 60 -E kernel -l 'D suite on the kernel engine' test/d))
	$(if $(SAN)$(TINY),,-@$(OTHER_OTP) $(RUN) -t 90 -l 'erlang' test/erlang)
	$(if $(SAN)$(TINY),,$(if $(filter 25 26,$(OTP_RELEASE)),-@OTP27= $(RUN) -t 90 -l 'erlang without counters' $(wildcard test/erlang/tst.counters*.sh)))
	$(if $(TINY),,$(if $(OTP_APP),-@SAN=$(SAN) sh test/erlang/run.sh $(BUILD) $(RESULTS) '$(LABEL)'))
	$(if $(TINY),,-@SAN=$(SAN) sh test/web/run.sh $(BUILD) $(RESULTS) '$(LABEL)')

fuzz-built: $(FUZZERS)

fuzz-smoke: $(FUZZERS)
	@sh test/fuzz-smoke.sh $(RESULTS) $(FUZZ_SECONDS) $(FUZZERS)

ifneq ($(SAN)$(TINY),)
test: setup
	@rm -f $(BUILD)/results
	@$(AGAIN) tests-built
	@$(MAKE) --no-print-directory suite
	@sh test/sum.sh $(BUILD)/results
else
# Everything: this build, then the same suites with sanitizers and with tiny tables, the clang build, the
# installed library, and a few seconds of fuzzing.
test: setup
	@sh test/all.sh $(BUILD)
endif

# What a change needs most, in under three minutes: the compiler and the language, the command line, and the main promises on live nodes.
CHECK_NODES = $(patsubst %,test/erlang/tst.%.sh,probes promises one-file)
.PHONY: check-suite
check:
	@sh test/setup.sh check
	@$(AGAIN) tests-built
	@$(MAKE) --no-print-directory check-suite

check-suite:
	@rm -f $(BUILD)/results-check
	-@$(RUN) -r $(BUILD)/results-check -l unit $(UNITS)
	-@$(RUN) -r $(BUILD)/results-check -l 'D suite' test/d
	-@$(RUN) -r $(BUILD)/results-check -l 'command line' test/cli
	$(if $(OTP_APP),-@$(RUN) -r $(BUILD)/results-check -t 90 -l 'live nodes' $(wildcard $(CHECK_NODES)),@echo 'SKIP live nodes: built without Erlang')
	@sh test/sum.sh $(BUILD)/results-check

# Both commands on machines that have only git, make and gcc; see test/fresh.sh.
RELEASES ?= bookworm trixie testing
COMMANDS ?= demo test
.PHONY: test-fresh
test-fresh:
	@sh test/setup.sh fresh
	@sh test/fresh.sh -c '$(COMMANDS)' $(or $(ERLTRACE_CACHE),$(BUILD))/fresh $(RELEASES)

# All tests of Erlang nodes on the OTP of each release (25, 27 and 29 at present). `make otp` runs them on this machine's.
.PHONY: test-otp otp otp-suite
test-otp:
	@sh test/setup.sh fresh
	@sh test/fresh.sh -c otp $(or $(ERLTRACE_CACHE),$(BUILD))/fresh $(RELEASES)

otp: setup
	@$(AGAIN) tests-built
	@$(MAKE) --no-print-directory otp-suite

otp-suite:
	@rm -f $(BUILD)/results-otp
	-@$(OTHER_OTP) $(RUN) -r $(BUILD)/results-otp -t 90 -l 'live nodes' test/erlang
	-@$(RUN) -r $(BUILD)/results-otp -j1 -t 120 -l 'stacks' $(wildcard test/kernel/tst.erlang-stack*.sh) test/kernel/tst.sym-erlang.sh
	-@sh test/erlang/run.sh $(BUILD) $(BUILD)/results-otp
	@sh test/sum.sh $(BUILD)/results-otp

# The same on VMs that no package has: without the JIT, and for musl. They are built once from the sources of Debian's
# package, 5 to 20 minutes each.
OTP_KINDS ?= $(or $(ERLTRACE_CACHE),$(BUILD))
.PHONY: otp-kinds test-otp-kinds
otp-kinds:
	@sh test/setup.sh demo otp-emu otp-musl
	@for kind in musl emu; do sh test/otp-build.sh $(OTP_KINDS)/otp-$$kind $$kind || exit; done

test-otp-kinds: otp-kinds setup
	@$(AGAIN) tests-built
	@rm -f $(BUILD)/results-otp-kinds
	-@for kind in musl emu; do ERL=$(abspath $(OTP_KINDS))/otp-$$kind/bin/erl $(RUN) -r $(BUILD)/results-otp-kinds -t 180 -l "live nodes, $$kind" test/erlang; done
	@sh test/sum.sh $(BUILD)/results-otp-kinds

# The command without libraries (src/release/release.mk), in an empty root.
.PHONY: test-static
test-static: static
	@sh test/setup.sh check
	@$(AGAIN) tests-built
	@$(RUN) -r /dev/null -t 120 -l 'static' test/erlang/tst.static.sh

# The command for arm64, emulated; see test/arm64/run.sh. (A node on arm64 is part of `make test`.)
.PHONY: test-arm64
test-arm64:
	@sh test/setup.sh check arm64
	@$(AGAIN) tests-built
	@sh test/arm64/run.sh $(BUILD)

# What takes long, at full length, against live nodes; see test/long.sh. LONG='safety dirty' chooses.
# Random scripts on a node with every kind of trouble, SECONDS long; a minute of it is in `make test`.
.PHONY: soak
SECONDS ?= 600
soak: setup
	@$(AGAIN) tests-built
	@scratch=$$(mktemp -d) && cd $$scratch && srcdir=$(CURDIR)/test/erlang BUILD=$(abspath $(BUILD)) ERLTRACE=$(abspath $(BUILD))/erltrace \
	  CC=$(CC) SOAK_SECONDS=$(SECONDS) sh $(CURDIR)/test/erlang/tst.soak.sh | tee soak.txt && cmp soak.txt $(CURDIR)/test/erlang/tst.soak.sh.out && rm -rf $$scratch

# The service of metrics against nodes that come and go: a day in four minutes.
.PHONY: soak-export
soak-export: setup
	@$(AGAIN) tests-built
	@scratch=$$(mktemp -d) && cd $$scratch && srcdir=$(CURDIR)/test/erlang BUILD=$(abspath $(BUILD)) ERLTRACE=$(abspath $(BUILD))/erltrace \
	  SOAK_SECONDS=$(if $(filter file,$(origin SECONDS)),240,$(SECONDS)) sh $(CURDIR)/test/erlang/soak_export.sh | tee soak.txt && \
	  printf 'ended with 0\nclean\nclean\nclean\n' | cmp - soak.txt && rm -rf $$scratch

.PHONY: test-long
test-long: setup
	@$(AGAIN) tests-built
	@sh test/long.sh $(BUILD) $(LONG)

# -- the rest ------------------------------------------------------------------------------------------------------

# Only what the demonstration uses is installed, so no clang for the kernel engine unless KERNEL=1 asks for it.
demo:
	@sh test/setup.sh demo $(if $(filter-out 0,$(KERNEL_ASKED)),kernel) || echo 'demo: going on with what is here'
	@$(AGAIN) all
	@sh scripts/demo.sh $(BUILD)/erltrace $(DEMO_SECONDS)

$(BUILD)/bench/%: bench/%.c $(BUILD)/liberltrace.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Itest/unit -MF $@.mk -MT $@ -o $@ $< $(BUILD)/liberltrace.a $(LDLIBS)

$(BUILD)/bench/erlang/%.beam: bench/erlang/%.erl
	@mkdir -p $(@D)
	$(call say,ERLC,$<)
	$(Q)erlc $(ERLC_WARN) -o $(@D) $<

$(BUILD)/bench/erlang/empty_tracer.so: bench/erlang/empty_tracer.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(NIF_BUILD) -shared -o $@ $<

# Each benchmark prints its own tables. The last table has the rows of all with their ratios; they are also in bench.json.
BENCH_ROWS := $(BUILD)/bench.rows
bench: export BENCH_JSON := $(abspath $(BENCH_ROWS))
bench: all $(BENCHES) bench-begin bench-erlang
	@for b in $(BENCHES); do echo "== $${b##*/}"; $$b $(BENCH_ARGS) || exit; done
	@echo '== all'; sh bench/report.sh $(BENCH_ROWS) $(BUILD)/bench.json && sh bench/picture.sh $(BENCH_ROWS) >$(BUILD)/bench.svg
.PHONY: bench-begin
bench-begin: all
	@mkdir -p $(BUILD) && : >$(BENCH_ROWS)
bench-erlang: | $(if $(filter bench,$(MAKECMDGOALS)),bench-begin)

# Events in the VM, by ways of tracing; see bench/erlang/bench_tracer.erl. BENCH_ROUNDS: more is steadier.
BENCH_ROUNDS ?= 3
.PHONY: bench-erlang bench-stall
bench-erlang: all $(BENCHBEAMS) $(if $(OTP_APP),$(BUILD)/bench/erlang/empty_tracer.so)
	$(if $(OTP_APP),@echo '== erlang'; sh bench/erlang/run.sh $(BUILD) $(BENCH_ROUNDS),@echo '== erlang: built without')
# What snapshots cost, and collecting from many nodes; see bench/erlang/cluster.sh. COUNT, SECONDS.
.PHONY: bench-cluster
bench-cluster: all $(BENCHBEAMS) $(if $(OTP_APP),$(BUILD)/bench/erlang/sim_nodes)
	$(if $(OTP_APP),@sh bench/erlang/cluster.sh $(BUILD) $(COUNT) $(SECONDS),@echo '== cluster: built without')
# The same events in a script that also has probes of the kernel: for root.
.PHONY: bench-mixed
bench-mixed: all $(BENCHBEAMS) $(if $(OTP_APP),$(BUILD)/bench/erlang/empty_tracer.so)
	$(if $(OTP_APP),@echo '== erlang and kernel'; sh bench/erlang/run.sh $(BUILD) $(BENCH_ROUNDS) mixed && sh bench/erlang/run.sh $(BUILD) $(BENCH_ROUNDS) flame,@echo '== erlang: built without')
# What tracing costs RabbitMQ under load; see bench/erlang/rabbitmq.sh. TURNS, MESSAGES.
.PHONY: bench-rabbitmq bench-schedulers
bench-rabbitmq: all tests-built $(BENCHBEAMS)
	$(if $(OTP_APP),@echo '== rabbitmq'; sh bench/erlang/rabbitmq.sh $(BUILD) $(or $(TURNS),5) $(or $(MESSAGES),50000),@echo '== rabbitmq: built without')
# Whether schedulers lose time to each other; see bench/erlang/bench_schedulers.erl.
bench-schedulers: all $(BENCHBEAMS) $(if $(OTP_APP),$(BUILD)/bench/erlang/empty_tracer.so)
	$(if $(OTP_APP),@echo '== erlang: ns of CPU time for a call'; for s in 1 2 16 64; do \
	  erl +S $$s:$$s +sbwt none -noinput -sname erltrace_schedulers_$$$$ -setcookie bench$$$$ -pa $(BUILD)/bench/erlang \
	    -run bench_schedulers main $(abspath $(BUILD)) || exit; done,@echo '== erlang: built without')
# How long a node stands still when scripts come and go; see bench/erlang/bench_stall.erl.
bench-stall: all $(BENCHBEAMS)
	$(if $(OTP_APP),@echo '== erlang: standing still'; sh bench/erlang/stall.sh $(BUILD),@echo '== erlang: built without')

# clang builds the libFuzzer targets from the sources, whatever CC is. fuzz_node replaces some functions of ei.
$(BUILD)/fuzz/fuzz_node: FUZZ_LINK = -Wl,-z,muldefs
$(BUILD)/fuzz/%: fuzz/%.c $(LIBSRC) $(KERNEL_OBJ) $(KERNEL_GEN) $(DLIB_GEN)
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)clang $(CPPFLAGS) $(KERNEL_FLAGS) -O1 -g $(WARN) -pthread -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(FUZZ_LINK) \
	  -o $@ $< $(LIBSRC) $(KERNEL_OBJ) $(LDLIBS)

fuzz: $(FUZZERS)
	@for f in $(FUZZERS); do sh fuzz/run.sh $$f $(FUZZ_SECONDS) || exit; done

SOURCES = $(LIBSRC) $(CLISRC) src/release/old_glibc.c $(UNITSRC) $(BENCHSRC) $(FUZZSRC) fuzz/hostile.c fuzz/hostile_fuse.c fuzz/hostile.h \
  $(wildcard test/*.c test/oom/*.c test/kernel/*.c test/erlang/*.c test/unit/*.h bench/*/*.c otp/erltrace/c_src/*.[ch] otp/erltrace/c_src/sites/*.c src/*/*.h src/*/*/*.h src/*/*/*/*.h include/*.h examples/*.c)

format:
	clang-format -i $(SOURCES)

format-check:
	clang-format --dry-run -Werror $(SOURCES)

# Runs clang-tidy on each source after it is compiled, and again only if it or one of its headers changed; cppcheck
# likewise.
LINTSRC = $(LIBSRC) $(CLISRC) $(if $(OTP_APP),$(NIFSRC))
LINTED = $(LINTSRC:%.c=$(BUILD)/lint/%.ok)

$(BUILD)/lint/%.ok: %.c $(BUILD)/obj/%.o .clang-tidy
	@mkdir -p $(@D)
	$(call say,TIDY,$<)
	@clang-tidy --quiet $< -- -std=c11 $(CPPFLAGS) $(KERNEL_FLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

lint-tidy: $(LINTED)

lint:
	@command -v clang-tidy >/dev/null && command -v cppcheck >/dev/null || { echo 'lint: needs clang-tidy and cppcheck'; exit 1; }
	@sh test/rooms.sh
	@$(MAKE) --no-print-directory -k -j$(shell nproc) lint-tidy
	@mkdir -p $(BUILD)/lint/cppcheck
	$(Q)cppcheck -q -j$(shell nproc) --cppcheck-build-dir=$(BUILD)/lint/cppcheck --std=c11 --error-exitcode=1 --inline-suppr --suppressions-list=.cppcheck \
	  --enable=warning,portability --suppress=missingIncludeSystem --suppress=missingInclude --suppress=unknownMacro \
	  $(CPPFLAGS) $(KERNEL_FLAGS) $(LINTSRC)

clean:
	rm -rf $(BUILD)

-include $(LIBOBJ:.o=.d) $(CLIOBJ:.o=.d) $(foreach m,$(BUILD)/nif $(FOREIGN:%=$(BUILD)/nif-%),$(patsubst %.c,$(m)/%.d,$(NIFSRC) $(NIF_LIB))) $(UNITS:=.mk) $(BENCHES:=.mk) $(BUILD)/test/oom.mk
