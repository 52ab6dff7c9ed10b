// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol LoaderDelegate --output Tests/Unit/HopShimTests/Shims/LoaderDelegateHop.swift --module ShimmedProtocols --latest 'loader(_:progress:)' --default 'loader(_:shouldGoOn:)=false' --default 'loader(_:didFinish:)=-1, CancellationError()' --default 'loader(onMain:)=-2' --default 'loader(yes:no:)=no("nobody")' --default retryCount=3 --wait retryCount=2 --wait hint=2 --default 'title="untitled"' --default level=0 --wait level=2 --default 'subscript(_:in:)=""' --wait 'subscript(_:in:)=2' --default note=7

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `LoaderDelegate` to the main queue, in order. Holds its target weakly.
final class LoaderDelegateHop: LoaderDelegate, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop_: MainHop<any LoaderDelegate>
  private let latestLoaderProgress: @Sendable (HopArgument<(String, Double)>) -> Void

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any LoaderDelegate, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop_ = MainHop(
      target, "LoaderDelegate", delivery: delivery,
      file: file, line: line, column: column, function: function)
    latestLoaderProgress = hop_.sender(coalescing: .latest) { target, values in
      for value in values {
        let (name, progress) = value.value
        target.loader(name, progress: progress)
      }
    }
  }

  func loaderBegan() {
    hop_.send { target in
      target.loaderBegan()
    }
  }

  func loader(_ name: String, didReceive bytes: [UInt8]) {
    hop_.send { target in
      target.loader(name, didReceive: bytes)
    }
  }

  func loader(_ name: String, progress: Double) {
    latestLoaderProgress(HopArgument((name, progress)))
  }

  func loader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void) {
    hop_.send { target in
      target.loader(name, shouldGoOn: shouldGoOn)
    } orElse: {
      shouldGoOn(false)
    }
  }

  func loader(_ name: String, didFinish done: ((Int, (any Error)?) -> Void)?) {
    hop_.send { [done = HopArgument(done)] target in
      target.loader(name, didFinish: done.value)
    } orElse: {
      done?(-1, CancellationError())
    }
  }

  func loader(onMain done: @escaping @MainActor @Sendable (Int) -> Void) {
    hop_.send { target in
      target.loader(onMain: done)
    } orElse: {
      Task { @MainActor in done(-2) }
    }
  }

  func loader(yes: @escaping @Sendable (Int) -> Void, no: @escaping @Sendable (String) -> Void) {
    hop_.send { target in
      target.loader(yes: yes, no: no)
    } orElse: {
      no("nobody")
    }
  }

  func retryCount(for name: String) -> Int {
    return hop_.ask(within: .seconds(2), orElse: 3) { target in
      return target.retryCount(for: name)
    }
  }

  func hint() -> String? {
    return hop_.ask(within: .seconds(2), orElse: nil) { target in
      return target.hint()
    }
  }

  var title: String {
    get {
      hop_.send { target in
        _ = target.title
      }
      return "untitled"
    }
  }

  var level: Int {
    get {
      return hop_.ask(within: .seconds(2), orElse: 0) { target in
        return target.level
      }
    }
    set {
      hop_.send { [newValue = HopArgument(newValue)] target in
        target.level = newValue.value
      }
    }
  }

  subscript(_ row: Int, in section: String) -> String {
    get {
      return hop_.ask(within: .seconds(2), orElse: "") { target in
        return target[row, in: section]
      }
    }
    set {
      hop_.send { [newValue = HopArgument(newValue)] target in
        target[row, in: section] = newValue.value
      }
    }
  }

  @available(*, deprecated)
  func oldEvent() {
    hop_.send { target in
      target.oldEvent()
    }
  }

  @discardableResult
  func note(in `class`: Int, target: String, passed: Bool, hop: Int) -> Int {
    hop_.send { target_ in
      _ = target_.note(in: `class`, target: target, passed: passed, hop: hop)
    }
    return 7
  }

  func `default`(_ argument0: Int, _ argument1: Int) {
    hop_.send { target in
      target.`default`(argument0, argument1)
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
