/// Tells a program's own packages and namespaces from those of the libraries that it carries along.
///
/// A stack of Java's or .NET's names no image, so that a function's package is all that tells whose it is.
struct ManagedCode {
  /// The packages of the program; empty if none is known.
  private let homes: Set<String>

  /// The report with every managed frame marked as the program's own or a library's.
  static func judged(_ report: CrashReport) -> CrashReport {
    let thrown = report.failure?.thrown ?? []
    let frames = thrown + report.threads.flatMap(\.frames)
    guard frames.contains(where: \.isManaged) else { return report }
    let code = ManagedCode(report, failing: thrown.isEmpty ? report.failed?.frames ?? [] : thrown)
    var report = report
    for place in thrown.indices { code.mark(&report.failure!.thrown[place]) }
    for violation in report.violations.indices {
      for place in report.violations[violation].frames.indices {
        code.mark(&report.violations[violation].frames[place])
      }
    }
    for thread in report.threads.indices {
      for place in report.threads[thread].frames.indices {
        code.mark(&report.threads[thread].frames[place])
      }
    }
    return report
  }

  private init(_ report: CrashReport, failing: [CrashReport.Frame]) {
    let frames = (failing + report.threads.flatMap(\.frames)).filter(\.isManaged)
    let isCandidate = { (frame: CrashReport.Frame) in
      frame.isOwn != false && !LibraryPackages.contain(frame.symbol)
    }
    var told = Set(
      frames.filter { $0.isOwn == true && isCandidate($0) }.map { Self.root($0.symbol) })
    for name in [report.package, report.process] {
      // `org.loom.board:sync` is a second process of the same.
      let process = String(name.prefix { $0 != ":" })
      guard process.contains("."), !process.hasSuffix(".exe"), !process.hasSuffix(".dll") else {
        continue
      }
      let home = Self.root(process + ".")
      if frames.contains(where: { Self.root($0.symbol) == home }) { told.insert(home) }
    }
    homes =
      told.isEmpty
      ? Self.guessed(
        failing.filter { $0.isManaged && isCandidate($0) },
        exception: report.failure.map { Self.root($0.type) } ?? "")
      : told
  }

  /// The package of the innermost function that belongs to no known library: the caller of a
  /// toolkit or of a check is more likely own code than the caller of a callback. A package that
  /// has its own exception for the fault, or a subpackage `internal`, is a library if there are
  /// other packages.
  private static func guessed(_ frames: [CrashReport.Frame], exception: String) -> Set<String> {
    let roots = frames.map { root($0.symbol) }
    var libraries: Set = [exception]
    for (frame, root) in zip(frames, roots) where frame.symbol.contains(".internal.") {
      libraries.insert(root)
    }
    return Set((roots.first { !libraries.contains($0) } ?? roots.first).map { [$0] } ?? [])
  }

  private func mark(_ frame: inout CrashReport.Frame) {
    guard frame.isManaged else { return }
    // An application of a library's vendor has its package.
    if homes.contains(Self.root(frame.symbol)) {
      frame.isOwn = frame.isOwn ?? true
    } else if LibraryPackages.contain(frame.symbol) || !homes.isEmpty {
      frame.isOwn = frame.isOwn == true && !LibraryPackages.contain(frame.symbol)
    }
  }

  /// The part of a name that one author's code has in common: `com.acme` of `com.acme.shop.Cart.add`, `Acme` of
  /// `Acme.Shop.Cart.Add`.
  private static func root(_ function: String) -> String {
    let parts = function.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first?.first else { return "" }
    // .NET's namespaces begin with a capital, Java's packages with none.
    if first.isUppercase { return String(parts[0]) }
    let isShared =
      parts.count > 3
      && ["com.github", "io.github", "org.bitbucket", "com.gitlab"]
        .contains("\(parts[0]).\(parts[1])")
    return parts.prefix(isShared ? 3 : 2).joined(separator: ".")
  }
}
