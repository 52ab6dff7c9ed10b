internal import CRecorder

/// The module and function of a stack frame of this process, from the symbol tables.
package struct FrameCode {
  /// The path of the file.
  package let module: String
  /// The distance from the start of the module.
  let offset: UInt
  /// The linker symbol of the function; nil if no symbol table contains one.
  package let symbol: String?
  package let isExported: Bool
  /// The name of the function in Swift or C++; nil if the symbol is not mangled.
  package let function: String?

  /// Looks up `frame`; returns nil if no loaded module contains its address.
  package init?(of frame: UInt) {
    let address = StackWord.address(of: frame)
    // A return address may be the first byte of the next function; the preceding byte belongs to the call.
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
