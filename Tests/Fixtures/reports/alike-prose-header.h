/// -[KLOven fireAt:] must be called from main thread.
/// This method must be called on the main thread.
- (void)fireAt:(int)heat;
