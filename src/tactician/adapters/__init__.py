"""Our planners in other people's environments: the LOCM competition, the official Pommerman environment."""
