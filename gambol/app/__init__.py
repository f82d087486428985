"""One module per verb, from file to file: animate, track, rig, pose, retarget, evaluate; run folders, reports."""
