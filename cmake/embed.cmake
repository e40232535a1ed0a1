# Compiles data files in (see data/).
