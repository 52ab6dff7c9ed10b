/// A function that contains an address. Several functions can share an address because of inlining.
package struct SourceFrame: Hashable, Sendable {
  /// The demangled name.
  package var function: String
  /// The linker's name; equal to `function` if the name is not mangled.
  package var mangledName: String
  /// The path of the file as it was passed to the compiler.
  package var file: String?
  /// The line, counted from 1; nil if the debug information has none.
  package var line: Int?
  package var column: Int?
  /// True if this function is inlined into the next function of the list.
  package var isInlined: Bool

  package init(
    function: String, mangledName: String, file: String? = nil, line: Int? = nil,
    column: Int? = nil, isInlined: Bool = false
  ) {
    self.function = function
    self.mangledName = mangledName
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }

  /// The frame of an unknown function.
  package static let unknown = SourceFrame(function: "??", mangledName: "??")

  /// True if this part of an async function begins after an await, false if it begins after the switch
  /// to the function's own executor; nil for other functions.
  ///
  /// The compiler splits an async function at each suspension point, and numbers the parts: a name ends
  /// in `TQ1_` after a call, and in `TY2_` after a switch of executors. Only the first switch, `TY0_`,
  /// precedes all awaits.
  package var isAfterAwait: Bool? {
    let name = mangledName.utf8
    guard name.last == UInt8(ascii: "_") else { return nil }
    let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    let number = name.dropLast().reversed().prefix(while: isDigit)
    let mark = name.dropLast(number.count + 1).suffix(2)
    guard !number.isEmpty, mark.elementsEqual("TY".utf8) || mark.elementsEqual("TQ".utf8) else {
      return nil
    }
    return !(mark.elementsEqual("TY".utf8) && number.elementsEqual("0".utf8))
  }

  /// True if the mangled name begins with a class or an actor: `$s4shop5SeatsC7reserve…`. Nested types
  /// count by the innermost one, and abbreviated names do not count.
  package var isOfClass: Bool {
    var rest = mangledName.utf8.dropFirst(2)[...]
    guard mangledName.hasPrefix("$s") else { return false }
    var kind: UInt8?
    var isModule = true
    while true {
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard digits.first != UInt8(ascii: "0"),
        let length = Int(String(decoding: digits, as: UTF8.self)),
        length < rest.count
      else { break }
      rest = rest.dropFirst(digits.count + length)
      if isModule {
        isModule = false
      } else if let next = rest.first, "CVO".utf8.contains(next) {
        kind = next
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return kind == UInt8(ascii: "C")
  }

  /// True for code that the compiler generated, which has no source file.
  package var isGenerated: Bool { file?.contains("<compiler-generated>") == true }
}

/// The frame names in an input, by the addresses that represent the frames in its stacks.
package struct FrameNames: Sendable {
  /// A frame with the name from its input.
  package struct Named: Sendable {
    package var source: SourceFrame
    /// The module or file that contains the function.
    package var module: String
    /// True if the function is known.
    package var isNamed: Bool
    /// The role of the frame, if the input states it; otherwise it is derived from the name.
    package var role: Frame.Role?

    package init(source: SourceFrame, module: String, isNamed: Bool, role: Frame.Role?) {
      self.source = source
      self.module = module
      self.isNamed = isNamed
      self.role = role
    }
  }

  private var frames: [UInt64: Named] = [:]

  package init() {}

  /// Sets the name of the frame at `address`.
  package mutating func add(_ frame: Named, at address: UInt64) { frames[address] = frame }

  package subscript(address: FrameAddress) -> Named? { frames[address.recorded] }
}
