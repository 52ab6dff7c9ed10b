let empty = """
  Crashed: nobody
  """

/*
 Seen by "a tester", build 12:

    Fatal Exception: NSInternalInconsistencyException
    This method must be called on the main thread.
    0  CoreFoundation                 0x1a5e0a96c __exceptionPreprocess
    1  libobjc.A.dylib                0x1a5b23028 objc_exception_throw
    2  Foundation                     0x1a6163a60 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]
    3  Heron                          0x1028a3f4c -[HRNestMap mark:] + 40 (HRNestMap.m:40)
    4  Heron                          0x1028c0020 -[HRTracker locationManager:didUpdateLocations:] + 132 (HRTracker.m:61)
    5  CoreLocation                   0x1b2f5d1c8 CLClientInvokeCallback + 312
    6  libdispatch.dylib              0x1a5ac7524 _dispatch_call_block_and_release
*/
func mark() {}
