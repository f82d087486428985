"""glTF 2.0: read, write, append clips and rigs."""
