import CDwarf

/// A short readable form of a Swift or C++ name; any other name as it is.
func demangled(_ mangled: UnsafePointer<CChar>) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
    let length = ms_demangle(mangled, buffer.baseAddress!, buffer.count)
    guard length > 0 else { return String(cString: mangled) }
    return String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self)
  }
}
