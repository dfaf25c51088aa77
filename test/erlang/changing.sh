# Expressions for tests of code that is replaced: Load(Names) loads the module changing anew, with these functions. Each has
# no argument and returns its name. Say(Format, Values) writes to the file `said`: the node's own output may come later.
CHANGING='Say = fun(Format, Values) -> ok = file:write_file("said", io_lib:format(Format, Values), [append]) end,
	Load = fun(Names) ->
	    Forms = [{attribute, 1, module, changing}, {attribute, 1, export, [{F, 0} || F <- Names]}
	             | [{function, 1, F, 0, [{clause, 1, [], [], [{atom, 1, F}]}]} || F <- Names]],
	    {ok, changing, Code} = compile:forms(Forms, []),
	    code:purge(changing), {module, changing} = code:load_binary(changing, "changing", Code)
	end,'
