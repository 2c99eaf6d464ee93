"""The one place that holds the version; results and recordings carry it."""

__version__ = "0.1.0"
