# Folders of sources include each other in one direction, and the name of a struct means one thing. Whatever breaks
# these rules is found.
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
sh "$rooms" "$PWD"
echo "ended with $?"
