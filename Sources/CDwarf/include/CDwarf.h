// The C surface over libdw.
