import IncidentModel

/// The place where the program's own code waits, for the live view.
package struct OwnWait {
  /// The function and its line: `Mails.flush() (Mails.swift:12)`.
  package let words: String
  private let places: [CodePlace]

  /// True if the waiting function, or a function that awaits it, belongs to this type.
  package func isIn(type: String) -> Bool {
    places.contains { $0.isIn(type: type) }
  }

  /// Finds the own code in the stacks of waiting tasks.
  package final class Reader {
    private let frames: FrameReader

    package init(symbols: (any SymbolSource)?) {
      frames = FrameReader(symbols: symbols, patterns: .builtIn)
    }

    package func begin(_ modules: [SeenModule]) { frames.begin(modules) }

    /// Returns the waiting place; nil if no own code waits on the stack.
    package func read(_ stack: Stack, when monotonic: UInt64) -> OwnWait? {
      let awaiting = StackReading(
        frames.frames(at: stack.frames, when: monotonic), opensNearest: false
      ).awaiting
      guard let own = awaiting.first?.frame.place else { return nil }
      let places = awaiting.flatMap(\.placesOutwards)
      return OwnWait(words: DisplayText.name(own), places: places)
    }
  }
}

extension StackReading.Link {
  /// The function, and the frames between this function and the next own function.
  var placesOutwards: [CodePlace] { [frame.place] + callers.map(\.place) }
}

extension CodePlace {
  /// True if the function belongs to this type, nested or not, or is the type's protocol witness. An
  /// optimized build may leave only the witness of a function that another one replaced by a tail
  /// call.
  func isIn(type: String) -> Bool {
    let conformance = function.range(of: " in conformance ", backwards: true)
    let own = conformance.map { String(function[$0.upperBound...]) } ?? FunctionName(function).type
    return !type.isEmpty && (own == type || own.hasSuffix(".\(type)"))
  }
}
