"""Numbers: what a clip does, how sound it is, and which motion it shows; from joints and surface, never from pixels."""
