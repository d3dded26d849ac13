"""The command line: typer, a module per verb, a thin skin over `seedrank.api.workbench`."""
