/// The documented thread or queue of a framework's callback.
package struct CallbackRule: Hashable, Sendable {
  /// The thread on which a framework makes a callback.
  package enum Place: String, CaseIterable, Sendable {
    /// Any thread: the framework documents none, or uses an internal one.
    case any
    /// The queue, executor or handler that the program passes; without one, the framework's own.
    case queue
    /// The run loop of the thread that created, scheduled or started the object.
    case runLoop = "runloop"
    /// The thread that makes the call, posts the notification or changes the value.
    case caller
    /// A pool or thread to which the program passed the function directly: not a callback.
    case executor
    case main
  }

  /// The framework's name. Outside Apple's platforms, the prefix of the names of its functions.
  package let framework: String
  /// The protocol, class or function that takes the callback.
  package let api: String
  /// The callback's names: selectors and Swift names.
  package let callbacks: [String]
  /// Substrings of the names of the framework functions that call a completion handler.
  package let callers: [String]
  package let place: Place
  /// The framework's rule, as a clause.
  package let rule: String
  /// The advice for a callback that must run on the main thread; empty if a hop is the best fix.
  package let advice: String

  /// Parses a line of the table: `framework | API | names | place | rule | what to do`.
  init?(line: Substring) {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(\.spaceless)
    guard fields.count == 6, let place = Place(rawValue: fields[3]) else { return nil }
    framework = fields[0]
    api = fields[1]
    let names = fields[2].split(separator: " ").map(String.init)
    callbacks = names.filter { !$0.hasPrefix("~") }
    callers = names.filter { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    self.place = place
    rule = fields[4]
    advice = fields[5]
  }

}

/// The callback table: the documented thread or queue of each framework's callbacks.
package enum CallbackRules {
  /// The lines of the table, one rule per line.
  package static let lines = (apple + "\n" + others).split(separator: "\n")

  package static let all: [CallbackRule] = lines.compactMap(CallbackRule.init(line:))

  private static let withCallers = all.filter { !$0.callers.isEmpty }

  private static let byCallback: [String: [CallbackRule]] = {
    var rules: [String: [CallbackRule]] = [:]
    for rule in all {
      for name in rule.callbacks { rules[name, default: []].append(rule) }
    }
    return rules
  }()

  /// Returns the rules for a callback of this name: a selector, or a Swift or Java method without
  /// its type.
  package static func rules(forCallback name: String) -> [CallbackRule] { byCallback[name] ?? [] }

  /// Returns the rule for a function that a framework called.
  ///
  /// - Parameters:
  ///   - function: the callback's name as in the stack.
  ///   - callers: the framework's functions and modules around the callback, nearest first.
  static func rule(
    for function: String, calledBy callers: [(function: String, module: String)]
  ) -> CallbackRule? {
    let named = rules(forCallback: name(of: function)).first { rule in
      callers.contains { rule.isFramework(of: $0) } || isForwarded(callers)
    }
    if let named { return named }
    let nearest = callers.lazy.compactMap { Self.vendor(of: $0.function) }.first
    for caller in callers {
      // A pool behind another vendor's framework does not determine that framework's rule.
      let isOther = vendor(of: caller.function).map { $0 != nearest } ?? isPool(caller.function)
      if nearest != nil, isOther { return nil }
      let rule = withCallers.first { rule in
        rule.isFramework(of: caller)
          && rule.callers.contains { caller.function.contains($0) }
      }
      if let rule { return rule }
    }
    return nil
  }

  /// The vendor of a framework, from the package or namespace of its function; nil for functions of
  /// the platform.
  private static func vendor(of function: String) -> String? {
    let parts = function.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, !function.contains(" "), !isPlatform(function) else { return nil }
    return parts.prefix(2).joined(separator: ".")
  }

  private static func isPlatform(_ function: String) -> Bool {
    ["java.", "kotlin.", "sun.", "jdk.", "System.", "android.", "dalvik."].contains(
      where: function.hasPrefix) || isPool(function)
  }

  /// True if a function only runs work that was submitted to a pool, queue or task.
  static func isPool(_ function: String) -> Bool { pools.contains(where: function.hasPrefix) }

  /// True if a function calls its argument before it returns.
  static func isInline(_ function: String) -> Bool {
    inline.contains(where: function.hasPrefix)
      && !["java.util.concurrent.", "java.util.Timer", "kotlin.coroutines.", "kotlin.concurrent."]
        .contains(
          where: function.hasPrefix)
  }

  private static let inline = [
    "java.util.", "java.lang.Iterable.", "kotlin.", "System.Linq.", "System.Collections.",
    "System.Array.",
    "std::", "scala.collection.", "com.google.common.collect.", "-[NSArray", "-[__NSArray",
    "-[NSDictionary",
    "-[__NSDictionary", "-[NSSet", "-[NSOrderedSet", "__NSARRAY_IS_CALLING_OUT_TO_A_BLOCK",
  ]

  private static let pools = [
    "java.util.concurrent.", "java.lang.Thread.", "java.lang.VirtualThread.", "java.lang.reflect.",
    "java.lang.invoke.", "kotlinx.coroutines.", "kotlin.coroutines.", "kotlin.concurrent.",
    "android.os.Handler", "android.os.Looper.", "System.Threading.", "System.Runtime.",
    "System.Reflection.", "sun.reflect.", "jdk.internal.", "scala.concurrent.",
  ]

  /// True if all callers are a queue, a run loop or message forwarding, which identify no
  /// framework.
  private static func isForwarded(_ callers: [(function: String, module: String)]) -> Bool {
    callers.allSatisfy { systems.contains($0.module) }
  }

  private static let systems: Set<String> = [
    "libdispatch.dylib", "CoreFoundation", "Foundation", "libsystem_pthread.dylib", "Dispatch",
  ]

  /// The function's name without its type: the selector of `-[Shop request:didFailWithError:]`.
  private static func name(of function: String) -> String {
    if function.hasPrefix("-[") || function.hasPrefix("+[") {
      return String(function.dropLast().drop { $0 != " " }.dropFirst())
    }
    return FunctionName(function.hasPrefix("@objc ") ? String(function.dropFirst(6)) : function)
      .last
  }
}

extension CallbackRule {
  /// The images that implement a framework besides the image of its own name.
  private static let images: [String: Set<String>] = [
    "Foundation": [
      "CFNetwork", "CoreFoundation", "FoundationNetworking", "libFoundationNetworking.so",
    ],
    "AVFoundation": [
      "AVFAudio", "AVFCapture", "AVFCore", "AudioToolbox", "CMCapture", "MediaToolbox",
      "AVCaptureSession",
    ],
    "Photos": ["PhotoLibraryServices", "PhotosUICore", "PhotoLibraryServicesCore"],
    "UIKit": ["UIKitCore"], "WebKit": ["WebCore", "WebKitLegacy"], "JavaScriptCore": ["WebCore"],
    "Network": ["libnetwork.dylib"], "CoreLocation": ["LocationSupport"],
    "Combine": ["Foundation"], "Contacts": ["ContactsFoundation"], "Vision": ["CoreML"],
  ]

  fileprivate func isFramework(of caller: (function: String, module: String)) -> Bool {
    caller.module == framework || Self.images[framework]?.contains(caller.module) == true
      || caller.function.hasPrefix(framework)
      || callers.contains { caller.function.hasPrefix($0) }
  }
}

extension Substring {
  fileprivate var spaceless: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
