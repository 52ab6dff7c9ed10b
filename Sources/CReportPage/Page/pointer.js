// pointer
