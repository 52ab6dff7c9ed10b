let item = "bolts"
