"""The papers' experiments, a file a paper, each with its experiments in `EXPERIMENTS`.

A new file is found by itself. The names of its experiments begin with its own name (`baier-table1` stands in
`baier.py`), so that running one imports only its file.
"""
