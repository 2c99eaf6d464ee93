"""Followers: trained networks that play a seat from what it sees.

Files of weights are read and networks are evaluated with NumPy and Numba alone; training needs PyTorch and stands in
`tactician.learning`.
"""
