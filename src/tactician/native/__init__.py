"""Compiled code: the compile cache, function tables, intrinsics on addresses, and how failures leave compiled code."""
