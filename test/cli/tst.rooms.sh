# Folders of sources include each other in one direction, the name of a struct means one thing, and what depends on the
# processor is in one folder. Whatever breaks these rules is found.
rooms=$srcdir/../rooms.sh
sh "$rooms" && echo 'the sources keep the rules'
mkdir -p src/object src/lang src/provider otp/erltrace/c_src
echo '#include "lang/ast.h"' >src/object/dobj.c
printf '#include "object/dobj.h"\n#include "gen/gen.h"\n#include "lex.h"\n' >src/lang/lex.c
echo '#include <stdio.h>' >src/lang/cc.h
echo '#include "web/web.h"' >src/provider/erlang.c
echo '#include "provider/provider.h"' >otp/erltrace/c_src/nif.c
printf 'struct row {\n\tint n;\n};\n' >src/object/key.c
printf 'struct row;\nstatic struct row {\n\tint n;\n} rows[2];\nenum row {\n\tROW\n};\n' >src/provider/dtrace.c
mkdir src/arch src/node
printf '#ifdef __aarch64__\n#endif\n' | tee src/arch/arch.h >src/node/attach.c
sh "$rooms" "$PWD"
echo "ended with $?"
