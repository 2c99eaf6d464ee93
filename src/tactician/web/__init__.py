"""The board: play against planners, watch them, analyse positions, collect a study.

`analysis` answers queries as a stream and needs no web server; `app` is the server and needs the extra `web`. Nothing
here knows a game: pages show its drawing and offer the parts that `action_parts` names.
"""
