struct Options {
  var protocolName: String?
  var module: String?
  var output: String?
  var destination = Destination.main
  var choices = Choices()
  var isPublic = false
  var isIsolated = false
  var isCheck = false
  var isHelp = false
  /// The module that contains the output file.
  var home: String?
  var symbolGraphs: [String] = []
  var searchPaths: [String] = []
  /// The options that determine the output, which the command in the output's header repeats.
  private(set) var lasting: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": isHelp = true
      case "--check": isCheck = true
      case "--public":
        isPublic = true
        lasting.append(option)
      case "--isolated":
        isIsolated = true
        lasting.append(option)
      default:
        guard Self.valued.contains(option) else { throw Refusal("unknown option \(option)") }
        guard let value = rest.popFirst() else { throw Refusal("\(option) needs a value") }
        try take(option, value)
      }
    }
  }

  private static let valued: Set<String> = [
    "--protocol", "--module", "--output", "--destination", "--default", "--wait", "--latest",
    "--home-module", "--symbol-graphs", "--search-path",
  ]

  private mutating func take(_ option: String, _ value: String) throws {
    switch option {
    case "--home-module": home = value
    case "--symbol-graphs": symbolGraphs.append(value)
    case "--search-path": searchPaths.append(value)
    default:
      lasting += [option, value]
      try takeLasting(option, value)
    }
  }

  private mutating func takeLasting(_ option: String, _ value: String) throws {
    switch option {
    case "--protocol": protocolName = value
    case "--module": module = value
    case "--output": output = value
    case "--destination":
      guard let known = Destination(rawValue: value) else {
        throw Refusal("--destination must be main or queue, not \(value)")
      }
      destination = known
    case "--latest": choices.latest.insert(value)
    default:
      guard let equals = value.firstIndex(of: "="), equals > value.startIndex else {
        throw Refusal("\(option) needs name=value, not \(value)")
      }
      let name = String(value[..<equals])
      let text = String(value[equals...].dropFirst())
      if option == "--wait" { choices.waits[name] = text } else { choices.defaults[name] = text }
    }
  }

  /// The command that generates the same output.
  var command: String {
    (["swift", "package", "--allow-writing-to-package-directory", "generate-hop-shim"] + lasting)
      .map(\.quoted).joined(separator: " ")
  }

  static let help = """
    Generates a class that conforms to a protocol and moves each call to a queue.

    Usage: swift package --allow-writing-to-package-directory generate-hop-shim
             --protocol <name> [--module <name>] [--output <file>] [options]
           swift package --allow-writing-to-package-directory generate-hop-shim --check

      --protocol <name>       the protocol, such as Delegate or Outer.Delegate
      --module <name>         the module of the protocol, if not one of this package
      --output <file>         the file to write; by default next to the protocol's sources
      --destination <where>   main, the default, or queue
      --default <name=value>  the caller's result if no answer comes
      --wait <name=seconds>   wait at most this long for the answer
      --latest <name>         deliver only the newest call of a burst
      --isolated              call the target through a main-actor protocol
      --public                make the class public; the protocol must be too
      --check                 write nothing; fail if the file is out of date;
                              without --protocol, check every such file of the package
      --help                  print this help

    A name is that of a requirement, such as reload or urlSession(_:task:didCompleteWithError:).
    """
}

extension String {
  /// The text as one word of a shell command, quoted if necessary.
  var quoted: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
