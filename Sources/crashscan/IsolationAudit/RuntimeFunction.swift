import CLogFormat

/// The effect of a function of the runtime, or of a helper that the compiler generates, on the values that the
/// tracer follows.
enum RuntimeFunction {
  /// Returns new memory.
  case allocation
  /// Returns the metadata of a type, whose cache variable is its first argument.
  case metadata
  /// Returns its second argument, memory on the caller's stack.
  case stackObject
  case returnsArgument
  /// Returns a copy of the block in its first argument.
  case blockCopy
  /// Returns the default value of a parameter.
  case defaultArgument
  /// Neither keeps nor calls functions.
  case unrelated

  /// Creates the effect of a function; nil for any other function.
  init?(_ name: String, readable: String) {
    switch name {
    case "swift_allocObject", "swift_slowAlloc", "malloc", "swift_task_alloc", "swift_allocBox":
      self = .allocation
    case "swift_initStackObject": self = .stackObject
    case "_Block_copy": self = .blockCopy
    case "memset", "memcpy", "memmove", "bzero", "free", "_Block_release": self = .unrelated
    case "__swift_instantiateConcreteTypeFromMangledName",
      "__swift_instantiateConcreteTypeFromMangledNameAbstract":
      self = .metadata
    case _ where name.hasPrefix("__swift_project_boxed_opaque_existential"):
      self = .returnsArgument
    default:
      if name.hasPrefix("swift_"), !Self.receivers.contains(where: name.hasPrefix) {
        self = name.contains("etain") ? .returnsArgument : .unrelated
      } else if readable.hasPrefix("default argument ") {
        self = .defaultArgument
      } else if Self.helpers.contains(where: readable.hasPrefix) {
        self = .unrelated
      } else {
        return nil
      }
    }
  }

  /// The functions of the runtime that keep or call functions.
  private static let receivers = [
    "swift_task_create", "swift_asyncLet", "swift_once", "swift_task_add", "swift_continuation",
  ]

  private static let helpers = [
    "outlined ", "type metadata ", "__swift_", "lazy protocol witness", "demangling cache",
    "associated type", "value witness", "protocol conformance",
    "nominal type descriptor", "metadata ",
  ]
}

/// A function's linker name.
struct SwiftSymbol {
  private let name: String

  init(_ name: String) { self.name = name }

  /// True if the function may keep the functions that it receives: the name has no parameter that must not escape,
  /// or another parameter that may.
  var keepsFunctions: Bool {
    guard name.contains("XE") else { return true }
    return ["yyc", "Ybc", "XB", "XA"].contains(where: name.contains)
  }

  /// True if a parameter is a function.
  var takesFunctions: Bool {
    // The type of an initializer is itself a function.
    let signature = ["cfC", "cfc"].contains(where: base.hasSuffix) ? base.dropLast(3) : base
    return ["yyc", "Ybc", "XE", "XB", "_tc", "yc", "Sgc", "XA", "XK"].contains(
      where: signature.contains)
  }

  /// False if the parameters have types that hold no function: neither functions nor generic parameters.
  var mayReceiveFunctions: Bool {
    takesFunctions || !name.hasPrefix("$s") || base.hasSuffix("lF") || base.contains("x")
  }

  /// True if a parameter is a block of C.
  var takesBlocks: Bool { name.contains("XB") }

  /// True for code that the compiler generates around a function, with the function's address and values.
  var isForwarder: Bool { suffixes.contains { base.hasSuffix($0) } }

  private let suffixes = ["TA", "Ta", "TR", "Tr", "TU", "To"]

  /// The name without the number of a copy, `.17`.
  private var base: Substring { name.prefix { $0 != "." } }

  /// True for a closure that no code refers to. An async function is referred to relative to its descriptor.
  func isUnused(isReferenced: Bool, readable: String) -> Bool {
    let isClosure = ["closure #", "partial apply for ", "implicit closure #"].contains(
      where: readable.hasPrefix)
    return isClosure && !isReferenced && !name.contains("Ya")
  }

  /// The linker name of the function for which a thunk was specialized: `…TU54$s3App…`.
  var specializedFor: String? {
    guard let start = name.dropFirst(2).firstRange(of: "$s")?.lowerBound else { return nil }
    let digits = name[..<start].reversed().prefix { $0.isNumber }.reversed()
    return Int(String(digits)).map { String(name[start...].prefix($0)) }
  }

  /// True for a part of an async function behind an `await`, whose address is taken to resume the function.
  var isAsyncPart: Bool { base.contains("TY") || base.contains("TQ") }

  /// True for a witness: the function of a conformance that the protocol's users call.
  var isWitness: Bool { name.hasSuffix("TW") || name.contains("TWT") || name.contains("TW.") }
}

/// The code of libraries that a program contains.
enum SystemCode {
  /// True if a linker name is from one of the toolchain's libraries.
  static func contains(_ name: String) -> Bool {
    guard name.hasPrefix("$s") || name.hasPrefix("$S") else { return false }
    let rest = name.dropFirst(2)
    let isMember =
      rest.first == "s" || rest.first == "S" && !rest.hasPrefix("So")
      || modules.contains { rest.hasPrefix($0) }
    guard isMember else { return false }
    return module(ofExtension: rest).map { module in modules.contains { $0.hasSuffix(module) } }
      ?? true
  }

  /// True if a linker name is from Mainstay, whose code the program's author cannot change.
  ///
  /// - Parameter file: The source file, by which C functions are recognized; nil if unknown.
  static func isMainstay(_ name: String, file: String? = nil) -> Bool {
    guard let module = module(ofExtension: name.dropFirst(2)) else {
      return ms_own_function(name, file)
    }
    return ms_own_module(String(module)) || ms_own_adapter(String(module))
  }

  /// The module of an extension of another module's type, whose member has this name: `App` in `Sa3AppE…` and in
  /// `Sa3AppSiRszrlE…`; nil for other names.
  private static func module(ofExtension name: Substring) -> Substring? {
    guard let end = name.firstIndex(of: "E"), end != name.startIndex else { return nil }
    var rest = name[..<end]
    var last: Substring?
    while let digits = rest.firstIndex(where: \.isNumber) {
      let number = rest[digits...].prefix { $0.isNumber }
      let text = rest[number.endIndex...]
      guard let length = Int(number), length > 0, length <= text.count else { return nil }
      last = text.prefix(length)
      rest = text.dropFirst(length)
    }
    // After the module, only the requirements of the extension may follow, which end in `l`.
    guard let last, rest.isEmpty || rest.hasSuffix("l") else { return nil }
    return last
  }

  private static let modules = [
    "10Foundation", "20FoundationEssentials", "20FoundationNetworking", "13FoundationXML",
    "30FoundationInternationalization", "8Dispatch", "7Testing", "6XCTest", "15Synchronization",
    "16RegexBuilder", "17_StringProcessing", "12_Concurrency", "11Distributed", "13Observation",
    "20_RegexParser", "9Cxx", "18_TestDiscovery", "19_Backtracing", "7Runtime", "15_RegexParser",
    "22_FoundationCollections", "20_FoundationCShims", "26_FoundationICU", "So",
  ]
}
