/// Separates a program's own packages and namespaces from those of its libraries.
///
/// A Java or .NET stack names no images, so only the package of a function shows its owner.
struct ManagedCode {
  /// The packages of the program; empty if none is known.
  private let homes: Set<String>

  /// The report with `isOwn` set on every managed frame.
  static func judged(_ report: CrashReport) -> CrashReport {
    let thrown = report.failure?.thrown ?? []
    let frames = thrown + report.threads.flatMap(\.frames)
    guard frames.contains(where: \.isManaged) else { return report }
    let hung = report.hang != nil && report.threads.count == 1 ? report.threads[0].frames : []
    let failing = thrown.isEmpty ? report.failed?.frames ?? hung : thrown
    let code = ManagedCode(report, failing: failing)
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
      // `org.loom.board:sync` is a second process of the application `org.loom.board`.
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

  /// The package of the innermost function that belongs to no known library. The innermost is
  /// chosen because the caller of a UI toolkit or a check is more likely own code than the caller
  /// of a callback. If other packages exist, a package with its own exception type for the fault,
  /// or with a subpackage `internal`, is a library.
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
    // An application from a library's vendor shares the vendor's package.
    if homes.contains(Self.root(frame.symbol)) {
      frame.isOwn = frame.isOwn ?? true
    } else if LibraryPackages.contain(frame.symbol) || !homes.isEmpty {
      frame.isOwn = frame.isOwn == true && !LibraryPackages.contain(frame.symbol)
    }
  }

  /// The prefix that all names of one vendor's code share: `com.acme` for `com.acme.shop.Cart.add`,
  /// `Acme` for `Acme.Shop.Cart.Add`.
  private static func root(_ function: String) -> String {
    let parts = function.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first?.first else { return "" }
    // A .NET namespace begins with a capital letter, a Java package does not, but its classes do.
    if first.isUppercase || parts[1].first?.isUppercase == true { return String(parts[0]) }
    let isShared =
      parts.count > 3
      && ["com.github", "io.github", "org.bitbucket", "com.gitlab"]
        .contains("\(parts[0]).\(parts[1])")
    return parts.prefix(isShared ? 3 : 2).joined(separator: ".")
  }
}
