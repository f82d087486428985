"""What is animated: mesh, skeleton, skin weights, the file's nodes, and the motion skeleton derived from them."""
