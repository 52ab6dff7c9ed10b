import Sites
print(Localization().text(.title))
