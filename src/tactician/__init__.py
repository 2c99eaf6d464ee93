"""tactician"""
