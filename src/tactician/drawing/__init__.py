"""What the drawings of all games share: elements of SVG documents (`svg`) and styled terminal text (`markup`)."""
