"""How files are read and written: one module a format, and a registry that knows them all."""
