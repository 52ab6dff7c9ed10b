/* What the reader of reports is tried with: it isn't a crash of ours. */
static const char *const sample =
  "Fatal Exception: NSInternalInconsistencyException\n"
  "This method must be called on the main thread.\n"
  "0  CoreFoundation                 0x1a5e0a96c __exceptionPreprocess\n"
  "1  libobjc.A.dylib                0x1a5b23028 objc_exception_throw\n"
  "2  Foundation                     0x1a6163a60 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]\n"
  "3  Heron                          0x1028a3f4c -[HRNestMap mark:] + 40 (HRNestMap.m:40)\n"
  "4  Heron                          0x1028c0020 -[HRTracker locationManager:didUpdateLocations:] + 132 (HRTracker.m:61)\n"
  "5  CoreLocation                   0x1b2f5d1c8 CLClientInvokeCallback + 312\n"
  "6  libdispatch.dylib              0x1a5ac7524 _dispatch_call_block_and_release\n";

char quote(void) { return '"'; }
