import CWalkSubjects

/// A piece of code that leads into callbacks, in each of which our walks are compared with
/// libunwind's.
public struct Subject: Sendable {
  /// What the subject is called in a report.
  public let name: String
  /// Runs the code.
  public let run: @Sendable () async -> Void

  init(_ name: String, _ run: @escaping @Sendable () async -> Void) {
    self.name = name
    self.run = run
  }

  /// All Swift subjects.
  public static let all: [Subject] = language + standardLibrary + dispatch + threads + concurrency

  /// What comparisons in this process came to, so far.
  public static var totals: ms_comparison_totals { ms_comparison_totals_so_far() }
}

/// Compares all walks from here; the C function is one frame below, as any caller would be.
@inline(never)
func compareWalks(_ subject: StaticString) {
  subject.withUTF8Buffer { text in
    _ = ms_compare_here(UnsafeRawPointer(text.baseAddress!).assumingMemoryBound(to: CChar.self))
  }
}
