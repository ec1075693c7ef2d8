"""Specs of further games, played at random."""
