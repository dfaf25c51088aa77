# The page and its server: `erltrace serve`, with WEB=1. Needs libwebsockets and jansson (Debian: libwebsockets-dev, libjansson-dev).
# ui/dist is built ahead by `npm ci && npm run build` in ui/ and is part of the sources.
WEB_DIST ?= ui/dist
WEBSRC := $(wildcard src/web/*.c)
WEBOBJ := $(WEBSRC:%.c=$(BUILD)/obj/%.o)
WEB_LIBS := -lwebsockets -ljansson

CLISRC += $(WEBSRC)
LDLIBS += $(WEB_LIBS)
CPPFLAGS += -DET_WITH_WEB
.PHONY: web-test

$(WEBOBJ): CPPFLAGS += -DWEB_DIST='"$(WEB_DIST)"'
$(BUILD)/obj/src/web/assets.o: $(wildcard $(WEB_DIST)/*.gz)

# Needs node, playwright-core and ws (NODE_PATH says where) and a Chromium.
web-test: all
	node test/web/run.mjs $(BUILD)/erltrace
