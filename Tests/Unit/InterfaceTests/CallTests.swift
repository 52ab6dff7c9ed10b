import Foundation
import ProcessTesting
import Testing

/// The public functions take what people hand them, and the compiler says clearly what they do not.
struct CallTests {
  private static let products = [
    "AffinityTesting", "BlockingCalls", "BreadcrumbNotifications", "Breadcrumbs", "CrashCapture",
    "CrashTesting", "Mainstay", "PastDeaths", "ThreadAffinity",
  ]

  /// What is said of imported modules is not asked for; older compilers say nothing of them.
  private static var ignoringOtherFiles: [String] {
    #if compiler(>=6.3)
      ["-Xfrontend", "-verify-ignore-unrelated"]
    #else
      []
    #endif
  }

  /// As a client compiles it: with the modules alone, outside of this package.
  @Test(arguments: products.inShort(oneOf: 4))
  func aClientCompilesButForTheErrorsItExpects(product: String) throws {
    let calls = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Calls/\(product).swift").path
    let compiler = try Compiler()
    let arguments =
      ["-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "Client"]
      + ["-Xfrontend", "-verify"] + Self.ignoringOtherFiles
    let done = try ChildProcess.run(
      path: compiler.swiftc, arguments + compiler.imports + [calls])
    #expect(done.status == 0 && done.signal == 0, "\(done.errors)")
  }
}
