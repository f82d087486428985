"""How it looks: Gaussians bound to bones, made from a textured mesh or read from a file."""
