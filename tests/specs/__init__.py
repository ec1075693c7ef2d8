"""Tests of the specs themselves."""
