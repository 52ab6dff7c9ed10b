// palette
