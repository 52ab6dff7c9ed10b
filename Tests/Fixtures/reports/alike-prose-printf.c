printf("*** Terminating app due to uncaught exception '%s', reason: '%s'\n", name, "must be called on the main thread");
