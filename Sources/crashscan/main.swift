print("crashscan")
