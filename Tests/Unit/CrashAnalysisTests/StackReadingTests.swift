import IncidentModel
import Testing

@testable import CrashAnalysis

/// How stacks are read, of names as compilers make them.
struct StackReadingTests {
  /// Names for addresses: the n-th function stands at address n.
  private struct Names: SymbolSource {
    let functions: [String]

    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      let name = functions[Int(address.recorded)]
      let module = name.hasPrefix("Observation") ? "11Observation" : "3App"
      return [SourceFrame(function: name, mangledName: "$s\(module)\(name)")]
    }
  }

  private func reading(_ functions: String...) -> StackReading {
    let frameReader = FrameReader(symbols: Names(functions: functions), patterns: .builtIn)
    let app = Module(path: "/srv/App", buildID: [], loadBias: 0, text: 0..<1000)
    frameReader.begin([SeenModule(module: app, since: 0)])
    let stack = functions.indices.map { FrameAddress.instruction(UInt64($0)) }
    return StackReading(frameReader.frames(at: stack, when: 1))
  }

  private struct NamesFromOneOn: SymbolSource {
    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      address.lookup == 0 ? [] : [SourceFrame(function: "Cache.store(_:)", mangledName: "store")]
    }
  }

  /// Interrupted in the linker's stub for a call, which has no name.
  @Test func stubOfACallIsNotTheFunctionThatWasTouched() {
    let reader = FrameReader(symbols: NamesFromOneOn(), patterns: .builtIn)
    let app = Module(path: "/srv/App", buildID: [], loadBias: 0, text: 0..<1000)
    reader.begin([SeenModule(module: app, since: 0)])
    let stack = [FrameAddress.instruction(0), .instruction(1)]
    let reading = StackReading(reader.frames(at: stack, when: 1))
    #expect(reading.touched?.place.function == "Cache.store(_:)")
    // A function of another module whose names are stripped is where the thread was.
    let other = Module(path: "/srv/libother.so", buildID: [], loadBias: 0, text: 0..<1)
    let rest = Module(path: "/srv/App", buildID: [], loadBias: 0, text: 1..<1000)
    reader.begin([SeenModule(module: other, since: 0), SeenModule(module: rest, since: 0)])
    let stripped = StackReading(reader.frames(at: stack, when: 1))
    #expect(stripped.touched?.place.function == "libother.so+0x0")
  }

  @Test func closureThatOtherCodeCallsIsTheCallback() {
    let reading = reading(
      "Board.show(_:)", "closure #1 in Feed.load()", "Download.finish()", "_dispatch_lane_invoke")
    #expect(reading.touched?.place.function == "Board.show(_:)")
    #expect(reading.callback?.place.function == "closure #1 in Feed.load()")
    #expect(reading.sender?.place.function == "Download.finish()")
  }

  @Test func closureInItsOwnFunctionsCallIsNoCallback() {
    let reading = reading(
      "Board.show(_:)", "closure #1 in Feed.load()", "Feed.load()", "closure #1 in Feed.start()")
    #expect(reading.callback == nil)
    #expect(reading.culprit?.place.function == "closure #1 in Feed.start()")
  }

  /// A lock's or a queue's closure: the line is the closure's, the name its function's.
  @Test func closureWhereTheStackBeginsGivesItsFunctionItsLine() {
    let names = ["closure #1 in Till.close()", "Lock.with(_:)", "Till.close()", "main"]
    let frameReader = FrameReader(symbols: Lines(functions: names), patterns: .builtIn)
    let app = Module(path: "/srv/App", buildID: [], loadBias: 0, text: 0..<1000)
    frameReader.begin([SeenModule(module: app, since: 0)])
    func touched(_ places: [UInt64]) -> CodePlace? {
      let stack = places.map { FrameAddress.instruction($0 * 200) }
      return StackReading(frameReader.frames(at: stack, when: 1)).touched?.place
    }
    #expect(touched([0, 2, 3])?.function == "Till.close()")
    #expect(touched([0, 2, 3])?.line == 10)
    // What the program's own lock calls is the closure all the same.
    #expect(touched([0, 1, 2, 3])?.function == "closure #1 in Till.close()")
    #expect(touched([0, 1, 2, 3])?.line == 10)
  }

  /// The n-th function stands at 200 n, at line 10 and n.
  private struct Lines: SymbolSource {
    let functions: [String]

    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      let place = Int(address.recorded) / 200
      var frame = SourceFrame(
        function: functions[place], mangledName: "$s3App\(functions[place])")
      frame.file = "/src/till.swift"
      frame.line = 10 + place
      return [frame]
    }
  }

  @Test func codeOfPackagesAndOurOwnIsNotTheProgramsOwn() {
    let classifier = FrameClassifier(patterns: .builtIn)
    func role(_ file: String, _ module: String = "till") -> Frame.Role {
      classifier.role(function: "keep_watch", modules: [module], source: file)
    }
    #expect(role("/src/till/Sources/till/main.swift") == .code)
    #expect(role("/src/till/.build/checkouts/swift-nio/Sources/NIOCore/a.swift") == .library)
    #expect(role("/src/mainstay/Sources/Crash/CCrashHandler/hang_watch.c") == .runtime)
    #expect(role("/src/till/Sources/Crash/CCrashHandlerOfOurs/a.c") == .code)
    #expect(role("checkouts.swift") == .code)
  }

  @Test func delegatesMethodIsTheCallback() {
    let reading = reading("Session.send(_:)", "Shop.request(_:didReceive:)", "Request.deliver(_:)")
    #expect(reading.callback?.place.function == "Shop.request(_:didReceive:)")
  }

  @Test func methodOfTheCallersOwnTypeIsNoDelegates() {
    #expect(reading("Shop.send(_:)", "Shop.didReceive(_:)", "Shop.deliver(_:)").callback == nil)
  }

  @Test func methodCalledThroughAProtocolIsTheCallback() {
    let reading = reading(
      "Board.show(_:)", "Board.receive(_:)", "protocol witness for Listener.receive(_:)",
      "closure #1 in Feed.load()", "Download.finish()")
    #expect(reading.callback?.place.function == "Board.receive(_:)")
  }

  @Test func typeThatTheStackCameThroughIsNotCalledBackThroughItsProtocol() {
    let reading = reading(
      "Board.show(_:)", "Machine.go(to:)", "protocol witness for Context.go(to:)",
      "closure #1 in Waiting.begin()", "closure #1 in Machine.ask(_:)", "Download.finish()")
    #expect(reading.callback?.place.function == "closure #1 in Waiting.begin()")
  }

  @Test func whoMakesAChangeIsToBlameAndNotWhoIsToldOfIt() {
    let told = reading(
      "Board.show(_:)", "closure #1 in Board.follow()", "Feed.prices.didset", "Feed.receive(_:)",
      "closure #1 in Feed.load()", "Download.finish()")
    #expect(told.callback?.place.function == "closure #1 in Feed.load()")
    let observed = reading(
      "Board.show(_:)", "closure #1 in Board.follow()",
      "ObservationRegistrar.withMutation<A, B, C>(of:keyPath:_:)", "Feed.prices.setter",
      "closure #1 in Feed.load()", "Download.finish()")
    #expect(observed.callback?.place.function == "closure #1 in Feed.load()")
    #expect(observed.sender?.place.function == "Download.finish()")
  }

  @Test func anObserverThatNobodyOutsideLedToIsTheCallback() {
    let reading = reading(
      "Board.show(_:)", "closure #1 in Board.follow()", "Feed.prices.didset", "Feed.refresh()")
    #expect(reading.callback?.place.function == "closure #1 in Board.follow()")
  }

  @Test(arguments: ["asan_thread_start(void*)", "___interceptor_qsort", "__tsan_func_entry"])
  func whatASanitizerAddsIsNotTheProgramsOwn(function: String) {
    let reading = reading("Board.show(_:)", "closure #1 in Feed.load()", function)
    #expect(
      reading.links.map(\.frame.place.function) == ["Board.show(_:)", "closure #1 in Feed.load()"])
    #expect(reading.callback == nil)
  }

  /// As where a script engine calls back: the loop that called it is nobody's own code.
  @Test(arguments: ["libglib-2.0.so.0", "libffi.so.8", "libjavascriptcoregtk-4.1.so.0"])
  func aSystemsLibraryIsNotTheProgramsOwn(library: String) {
    let functions = [
      "board_show", "posted", "jsc_value_function_callv", "fire", "g_main_context_dispatch",
    ]
    let frameReader = FrameReader(symbols: CNames(functions: functions), patterns: .builtIn)
    frameReader.begin([
      SeenModule(
        module: Module(path: "/srv/App", buildID: [], loadBias: 0, text: 0..<1000), since: 0),
      SeenModule(
        module: Module(path: "/lib/\(library)", buildID: [], loadBias: 0, text: 1000..<2000),
        since: 0),
    ])
    let places: [UInt64] = [0, 1, 1002, 3, 1004]
    let stack = places.map { FrameAddress.instruction($0) }
    let reading = StackReading(frameReader.frames(at: stack, when: 1))
    #expect(reading.links.map(\.frame.place.function) == ["board_show", "posted", "fire"])
    #expect(reading.callback?.place.function == "posted")
  }

  /// Names of C functions for addresses: the n-th function stands at n, and at n of the next thousand.
  private struct CNames: SymbolSource {
    let functions: [String]

    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      let name = functions[Int(address.recorded) % 1000]
      return [SourceFrame(function: name, mangledName: name)]
    }
  }

  @Test func whatTheCompilerMadeUpWithoutANameIsNobodysCode() {
    let frameReader = FrameReader(symbols: MadeUpByTheCompiler(), patterns: .builtIn)
    let app = Module(path: "/srv/App", buildID: [], loadBias: 0, text: 0..<1000)
    frameReader.begin([SeenModule(module: app, since: 0)])
    let stack = (0..<3).map { FrameAddress.instruction(UInt64($0)) }
    let frames = frameReader.frames(at: stack, when: 1)
    #expect(frames.map(\.role) == [.runtime, .code, .code])
    #expect(frames.map(\.place.file) == [nil, "/src/cart.swift", nil])
    #expect(StackReading(frames).touched?.place.line == 7)
  }

  /// What destroys a closure; a function of a file whose name was taken out; one that the compiler wrote for a type.
  private struct MadeUpByTheCompiler: SymbolSource {
    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      var frame = SourceFrame.unknown
      frame.file = address.recorded == 1 ? "/src/cart.swift" : "<compiler-generated>"
      if address.recorded == 1 { frame.line = 7 }
      if address.recorded == 2 { frame.function = "Cart.init()" }
      return [frame]
    }
  }

  @Test func whatTheOptimizerMadeHasTheFunctionsName() {
    let reading = reading("specialized Board.show(_:)", "closure #1 @Sendable () in Feed.load()")
    #expect(reading.touched?.place.function == "Board.show(_:)")
  }

  @Test func reasonOfATrapIsNoFunctionOfTheProgram() {
    let reading = reading("Swift runtime failure: Index out of range", "Board.show(_:)")
    #expect(reading.touched?.place.function == "Board.show(_:)")
  }

  @Test func frameworkIsFoundByItsFunctions() {
    #expect(reading("gtk_widget_show", "Board.show(_:)").framework?.role == .ui("GTK"))
    #expect(reading("Board.show(_:)").framework == nil)
  }
}
