# The page and its server, `erltrace serve`: built if libwebsockets and jansson are installed (Debian:
# libwebsockets-dev, libjansson-dev). WEB=0 leaves it out, WEB=1 insists. ui/dist is built in advance by `npm ci && npm
# run build` in ui/ and is part of the sources.
WEB ?= $(shell printf '\043include <libwebsockets.h>\n\043include <jansson.h>\n' | $(CC) $(CPPFLAGS) -fsyntax-only -x c - >/dev/null 2>&1 && echo 1)
WEB_DIST ?= ui/dist

ifeq ($(WEB),1)
WEBSRC := $(wildcard src/web/*.c)
WEBOBJ := $(WEBSRC:%.c=$(BUILD)/obj/%.o)
# erltrace export (src/export) needs the same library and is built with it. Its ready-made scripts are inside the command.
EXPORTSRC := $(wildcard src/export/*.c)
CLISRC += $(WEBSRC) $(EXPORTSRC)
$(BUILD)/gen/metrics.inc: src/embed.sh $(wildcard scripts/metrics/*.d)
	@mkdir -p $(@D)
	$(Q)sh src/embed.sh rows $(wildcard scripts/metrics/*.d) >$@
$(BUILD)/obj/src/export/conf.o: $(BUILD)/gen/metrics.inc
# The command runs where neither library is installed: jansson is linked into it, and the page loads libwebsockets
# (late.c).
JANSSON := $(filter /%,$(shell $(CC) -print-file-name=libjansson.a))
CLILIBS += $(if $(STATIC),-lwebsockets -lmbedtls -lmbedx509 -lmbedcrypto -ljansson,$(or $(JANSSON),-ljansson) -ldl)
LWS_SONAME := $(shell objdump -p "$$($(CC) -print-file-name=libwebsockets.so)" | sed -n 's/^ *SONAME *//p')
$(BUILD)/obj/src/web/late.o $(BUILD)/lint/src/web/late.ok: private CPPFLAGS += -DLWS_SONAME='"$(or $(LWS_SONAME),libwebsockets.so)"'
$(BUILD)/obj/src/cli/main.o: private CPPFLAGS += -DET_WITH_WEB
$(WEBOBJ) $(WEBSRC:%.c=$(BUILD)/lint/%.ok): private CPPFLAGS += -DWEB_DIST='"$(WEB_DIST)"'
$(BUILD)/obj/src/web/assets.o: $(wildcard $(WEB_DIST)/*.gz)
# Without the code that talks to libwebsockets' sockets or runs scripts: see fuzz/fuzz_web.c.
FUZZWEB := src/web/client.c src/web/http.c src/web/login.c src/web/budget.c src/web/plain.c src/web/shelf.c src/web/text.c src/web/run.c src/web/frame.c src/web/sheet.c src/web/leg.c src/web/plain_frame.c src/web/alerts.c src/alert/parts.c
$(BUILD)/fuzz/fuzz_web: fuzz/fuzz_web.c $(FUZZWEB) $(LIBSRC) $(DLIB_GEN)
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)clang $(CPPFLAGS) -O1 -g $(WARN) -pthread -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	  -o $@ $< $(FUZZWEB) $(filter-out src/engine/kernel/% src/provider/kernel/% src/provider/without_kernel.c,$(LIBSRC)) src/provider/without_kernel.c -ljansson $(LDLIBS)
else
FUZZSRC := $(filter-out fuzz/fuzz_web.c,$(FUZZSRC))
endif

# PARTS: protocol, page, node; see test/README.md.
.PHONY: web-test
web-test: all $(BUILD)/test/hostile
	@SAN=$(SAN) sh test/web/run.sh $(BUILD) /dev/null '$(LABEL)' $(PARTS)
