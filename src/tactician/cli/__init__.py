"""The `tactician` command: thin verbs over public functions."""
