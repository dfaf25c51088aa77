# Files that run on other machines than those that they were built on.
#
# The command starts on glibc $(OLDEST_GLIBC) and later, whichever glibc it is built with: old_glibc.sh tells how.
# PORTABLE=0 links it with the C library of this machine as it is. (Sanitizers need that.)
#
# `make static` builds build/static/erltrace, which needs no library at all: with musl, and with libraries that
# libraries.sh builds for it once, below the build folder or $ERLTRACE_CACHE. It is an ordinary build with STATIC=1, in
# a folder of its own.
STATIC ?=
STATIC_LIBRARIES ?= $(abspath $(or $(ERLTRACE_CACHE),build)/static-libraries)
STATIC_BUILD ?= build/static
.PHONY: static
static:
	@sh test/setup.sh demo kernel static
	@sh src/release/libraries.sh $(STATIC_LIBRARIES)
	@$(AGAIN) STATIC=1 BUILD=$(STATIC_BUILD) CC='$(filter ccache,$(CC)) musl-gcc -isystem $(STATIC_LIBRARIES)/linux' NIF_CC='$(CC)' WEB=1 $(STATIC_BUILD)/erltrace

ifneq ($(filter-out 0,$(STATIC)),)
CPPFLAGS += -DET_STATIC -isystem $(STATIC_LIBRARIES)/include
# musl gives a thread 128 KiB of stack unless the program says how much it wants.
LDLIBS += -static -Wl,-z,stack-size=8388608 -L$(STATIC_LIBRARIES)/lib -llzma
endif

OLDEST_GLIBC := 2.31
PORTABLE ?= 1
ifneq ($(filter-out 0,$(PORTABLE)),)
ifeq ($(filter-out 0,$(STATIC))$(SAN)$(findstring -fsanitize,$(CFLAGS)),)
ifneq ($(filter /%,$(shell $(CC) -print-file-name=libc_nonshared.a 2>/dev/null)),)
OLD_GLIBC := $(BUILD)/old-glibc/libc.so
OLD_GLIBC_OBJ := $(BUILD)/obj/src/release/old_glibc.o
# Before 2.34 these were files of their own.
OLD_GLIBC_LIBS := -L$(BUILD)/old-glibc -Wl,--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1 -Wl,--pop-state
$(OLD_GLIBC): src/release/old_glibc.sh $(BUILD)/flags
	$(Q)sh src/release/old_glibc.sh $(@D) $(OLDEST_GLIBC) $(CC)
endif
endif
endif
