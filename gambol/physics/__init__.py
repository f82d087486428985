"""What gravity allows: rigid bodies from bones, simulation, tracking; MJCF and USD writers."""
