"""Clips on other characters, matched by anatomy."""
