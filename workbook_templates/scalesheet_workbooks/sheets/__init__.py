"""One module a sheet: each writes what the spec and the layout say."""
