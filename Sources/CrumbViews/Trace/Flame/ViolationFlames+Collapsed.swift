import TextOutput

extension ViolationFlames {
  /// A line a stack: its frames with semicolons between, and how many violations have it.
  package var collapsed: String {
    var weights = [Int](repeating: 0, count: stacks.count)
    for profile in profiles {
      for sample in profile.samples { weights[sample.stack] += sample.weight }
    }
    return zip(stacks, weights).map { stack, weight in
      stack.map { word($0.function) }.joined(separator: ";") + " \(weight)\n"
    }.sorted().joined()
  }

  /// A frame's name without what the format gives a meaning.
  private func word(_ function: String) -> String {
    let name = escapingControls(function.replacing(";", with: ":"))
    // A number at the end of a line is its count, and `#` begins a comment for some readers.
    return name.isEmpty ? "?" : name
  }
}
