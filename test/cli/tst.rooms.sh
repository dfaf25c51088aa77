# Folders of sources include each other in one direction; what goes against it is found.
rooms=$srcdir/../rooms.sh
sh "$rooms" && echo 'the sources keep the direction'
mkdir -p src/object src/lang src/provider otp/erltrace/c_src
echo '#include "lang/ast.h"' >src/object/dobj.c
printf '#include "object/dobj.h"\n#include "gen/gen.h"\n#include "lex.h"\n' >src/lang/lex.c
echo '#include <stdio.h>' >src/lang/cc.h
echo '#include "web/web.h"' >src/provider/erlang.c
echo '#include "provider/provider.h"' >otp/erltrace/c_src/nif.c
sh "$rooms" "$PWD"
echo "ended with $?"
