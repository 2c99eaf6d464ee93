"""What holds for all tests."""

from __future__ import annotations

import contextlib
import signal

# A shell starts what runs in the background with Ctrl-C ignored, and everything started from there inherits that.
# The tests of Ctrl-C, in this process and in others, want it heard.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)
