# lint.sh SOURCE…: clang-tidy and cppcheck over the library and the command; clean or not at all.
flags="-std=c11 ${CPPFLAGS:--Iinclude -Isrc -D_GNU_SOURCE}"
status=0
if command -v clang-tidy >/dev/null 2>&1; then
	printf '%s\n' "$@" | xargs -P "$(nproc)" -n 4 sh -c 'clang-tidy --quiet "$@" -- '"$flags"' 2>/dev/null' - || status=1
else
	echo 'lint: clang-tidy is not installed; left out'
fi
if command -v cppcheck >/dev/null 2>&1; then
	cppcheck -q -j "$(nproc)" --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
		--suppress=missingIncludeSystem --suppress=missingInclude --suppress=unknownMacro ${CPPFLAGS:--Iinclude -Isrc -D_GNU_SOURCE} "$@" || status=1
else
	echo 'lint: cppcheck is not installed; left out'
fi
exit $status
