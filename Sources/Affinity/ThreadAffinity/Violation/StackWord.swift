/// Bits of the words of a captured stack: the highest bit marks async callers among return addresses.
package enum StackWord {
  private static let asyncCaller = ~(UInt.max >> 1)

  /// True if the word is the address at which an async caller resumes.
  package static func isAsyncCaller(_ word: UInt) -> Bool { word & asyncCaller != 0 }

  /// The address in `word`, without the mark.
  package static func address(of word: UInt) -> UInt { word & ~asyncCaller }

  /// The addresses of a stack, without marks.
  static func addresses(of words: [UInt]) -> [UInt] {
    words.contains(where: isAsyncCaller) ? words.map(address) : words
  }
}
