// format
