import IncidentModel

extension Death {
  /// Returns advice for the kind of death and the source line; empty if neither determines any.
  ///
  /// - Parameters:
  ///   - source: The line; nil if it is not available.
  ///   - header: The declaration of the enclosing function; nil if it is not available.
  ///   - function: The name of the enclosing function.
  func advice(for source: String?, in header: String? = nil, of function: String = "") -> String {
    switch kind {
    case .overflow:
      header?.resultType?.firstMatch(of: /\bU?Int(8|16|32)\b/).map {
        "The result does not fit \($0.0): compute in Int, or reject out-of-range values first."
      } ?? ""
    case .exclusivity: "End the first access before the second begins."
    case .deadReference:
      "Make the reference weak, and skip the work if the object is gone; keep a strong reference only if "
        + "the object must outlive its other owners."
    case .eventLoopWait:
      "Do not block an event loop: continue in flatMap or whenComplete, or await the future with try await "
        + "get() in a task."
    case .blockingMain:
      "Make the call on another thread, for example with withContext(Dispatchers.IO) or an executor, and hand "
        + "only the result to the main thread."
    case .freedObject: "Do not pass a reference to the object out of its deinit."
    case .unreadableMapping:
      "The mapped file is shorter than its mapping: find the code that truncated the file after it was mapped."
    case .uncaughtError where function.hasSuffix("deinit"):
      "A deinit cannot throw: catch the error with do and catch, or ignore it with try?."
    case .heapCorruption:
      "The heap was damaged earlier: run the program under Address Sanitizer to find the faulty write."
    default: source.flatMap { advice(Self.code(of: $0), $0) } ?? ""
    }
  }

  /// Returns advice for the only expression of a line that can have failed; nil unless there is
  /// exactly one.
  ///
  /// - Parameters:
  ///   - line: The code of the line, with strings and comments blanked out.
  ///   - whole: The source line, as long as `line`.
  private func advice(_ line: String, _ whole: String) -> String? {
    let written = { (part: Substring) in
      let start = line.distance(from: line.startIndex, to: part.startIndex)
      return String(whole.dropFirst(start).prefix(part.count))
    }
    switch kind {
    case .unwrappedNil:
      let unwraps = line.matches(of: /(?:\b(?:try|as)|[\w)\]])!(?![=\w])/).filter {
        !["try!", "as!"].contains($0.0)
      }
      if unwraps.count > 1 {
        return
          "This line unwraps \(unwraps.count) values by force: bind each with guard let, and handle nil."
      }
      return only(
        line.matches(of: /([\w.]+(?:\[[^\[\]]*\]|\([^()]*\))?)!(?![=\w])/).map { $0.1 }.filter {
          !["try", "as"].contains($0)
        }
      ).map {
        // A line may continue an expression.
        let value =
          $0.hasPrefix(".") ? "The result of `\(written($0.dropFirst()))`" : "`\(written($0))`"
        return "\(value) was nil: bind it with guard let, and handle nil."
      }
    case .outOfBounds:
      if message.contains("Range requires") {
        return line.firstMatch(of: /([\w.]+)\s*(\.\.[<.])\s*([\w.]+)/).map {
          "`\($0.1)` was greater than `\($0.3)`: compare the bounds before creating the range."
        }
      }
      return only(line.matches(of: /([A-Za-z_][\w.]*)\[([\w.]+)\]/).map { ($0.1, $0.2) }).map {
        "`\($0.1)` is not an index of `\($0.0)`: check it against \($0.0).indices first."
      }
    case .divisionByZero:
      return only(line.matches(of: /[\/%]=?\s*([A-Za-z_][\w.]*)/).map { $0.1 }).map {
        "`\($0)` was 0: handle 0 before the division."
      }
    case .lostValue:
      return only(line.matches(of: /\b(U?Int(?:8|16|32|64)?)\(([\w.]+)\)/).map { ($0.1, $0.2) }).map
      {
        "`\($0.1)` does not fit \($0.0): use \($0.0)(exactly:), and handle nil."
      }
    case .failedCast:
      return only(line.matches(of: /as! ([\w.<>\[\]]+)/).map { $0.1 }).map {
        "Use as? \($0), and handle the other types."
      }
    case .uncaughtError:
      return line.contains("try!") ? "Use try, and let the caller catch the error." : nil
    case .null:
      // A leading `*`, a subscript or a call dereferences the pointer before it.
      return only(
        line.matches(of: /(?:^|[^*\w])([A-Za-z_]\w*)(?:->|\.pointee)(?!\w*[\[(])/).map { $0.1 }
      ).map {
        "`\($0)` was null here: it was never set, or was set to null earlier. Check `\($0)` before this line."
      }
    default: return nil
    }
  }

  /// Returns a line's code with the contents of strings and comments replaced by `_`, so that
  /// offsets do not change.
  private static func code(of line: String) -> String {
    var code = line
    for found in line.matches(of: /"(?:\\.|[^"\\])*"/) {
      code = Self.blanked(
        code, line.distance(from: line.startIndex, to: found.range.lowerBound), found.0.count)
    }
    guard let comment = code.firstRange(of: "//") else { return code }
    let start = code.distance(from: code.startIndex, to: comment.lowerBound)
    return Self.blanked(code, start, code.count - start)
  }

  private static func blanked(_ line: String, _ start: Int, _ count: Int) -> String {
    line.prefix(start) + String(repeating: "_", count: count) + line.dropFirst(start + count)
  }

  private func only<Value>(_ found: [Value]) -> Value? { found.count == 1 ? found[0] : nil }
}
