  NSAssert([NSThread isMainThread], @"This method must be called on the main thread.");
  [NSException raise:NSInternalInconsistencyException format:@"nextEventMatchingMask should only be called from the Main Thread!"];
