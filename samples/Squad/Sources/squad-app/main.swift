import Squad
print("…")
