internal import CRecorder

/// The code that a frame of this process's stack is in, by the symbol tables.
package struct FrameCode {
  /// The path of the file.
  package let module: String
  /// The distance from the start of the module.
  let offset: UInt
  /// The symbol of the function, as the linker knows it; nil if no table has one.
  package let symbol: String?
  package let isExported: Bool
  /// The name of the function in Swift or C++; nil if the symbol is not mangled.
  package let function: String?

  /// Looks the frame up; nil if it is in no module.
  package init?(of frame: UInt) {
    let address = StackWord.address(of: frame)
    // A return address may be the first of the next function: the call is the byte before it.
    let call = StackWord.isAsyncCaller(frame) ? address : address &- 1
    let place = ms_code_at(call)
    guard let path = place.module else { return nil }
    module = String(cString: path)
    offset = address &- place.base
    isExported = place.function != nil
    symbol =
      place.function.map { String(cString: $0) }
      ?? Self.text { ms_symbol_around(call, $0, $1) }
    function = symbol.flatMap { symbol in Self.text { ms_code_demangle(symbol, $0, $1) } }
  }

  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { room in
      guard let start = room.baseAddress, fill(start, room.count) else { return nil }
      return String(cString: start)
    }
  }
}
