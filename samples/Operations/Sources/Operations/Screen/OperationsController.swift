public import Foundation
public import HeadlessUI
import ThreadAffinity

/// The screen of operations: starts them in the script, and shows what the script says of them.
public final class OperationsController: ViewController, @unchecked Sendable {
  /// Where the script's messages are handled.
  public enum Handling: Sendable {
    /// On the main queue: the fix.
    case onMain
    /// Where they come, which is the engine's thread: the bug.
    case whereTheyCome
  }

  /// All operations that were started.
  public let operations = OperationsHandler()
  /// The table of operations.
  public let table: OperationsTable
  /// How the script stands.
  public private(set) var script = ScriptState.loading(attempt: 0)

  private let engine: any ScriptRunning
  private let source: ScriptSource
  private let newID: @Sendable () -> OperationID
  private let atFirst: Int
  /// Stands between the engine and this controller; the engine holds it weakly.
  private var messagesOnMain: ScriptMessagesOnMain?
  private var gate = StartGate()
  private var attempts = 0
  private lazy var screen = OperationsView(table.view)

  /// - Parameters:
  ///   - engine: What runs the script.
  ///   - source: Where the script is read; asked again at each retry.
  ///   - handling: Where messages are handled.
  ///   - clock: When animations are drawn.
  ///   - atFirst: How many operations are started by themselves when the screen appears.
  ///   - newID: What operations are called.
  public init(
    engine: any ScriptRunning, source: @escaping ScriptSource = Script.bundled,
    handling: Handling = .onMain, clock: any FrameClock = DisplayFrames(), atFirst: Int = 0,
    newID: @escaping @Sendable () -> OperationID = { OperationID.random() }
  ) {
    self.engine = engine
    self.source = source
    self.newID = newID
    self.atFirst = atFirst
    table = OperationsTable(operations, clock: clock)
    super.init()
    title = "Operations"
    table.delegate = self
    register(handling)
    engine.onException(hop("script exception") { [weak self] in self?.show(exception: $0) })
  }

  private func register(_ handling: Handling) {
    switch handling {
    case .onMain:
      let messages = ScriptMessagesOnMain(self)
      messagesOnMain = messages
      engine.add(messages, name: "jumbo")
    case .whereTheyCome: engine.add(self, name: "jumbo")
    }
  }

  /// How the script stands, what to do, and the table.
  public override func makeView() -> View { screen }

  /// Asks for the script.
  public override func viewDidLoad() {
    screen.start.onTap = { [weak self] in self?.startNewOperation() }
    screen.retry.onTap = { [weak self] in self?.loadAnew() }
    load()
  }

  /// Starts what waits for the screen; the script may still be on its way.
  public override func viewDidAppear() {
    let isFirst = !gate.isScreenShown
    start(gate.screenShown())
    if isFirst { for _ in 0..<atFirst { startNewOperation() } }
  }

  // MARK: - Operations

  /// Adds an operation, which the script begins as soon as it is there.
  public func startNewOperation() {
    let id = newID()
    guard let indexPath = operations.startOperation(id) else { return }
    table.insertRow(at: indexPath)
    start(gate.ask(id))
  }

  /// Starts an operation of a row anew.
  private func restartOperation(at indexPath: IndexPath) {
    let id = newID()
    operations.restartOperation(at: indexPath, as: id)
    table.replaceRow(at: indexPath)
    start(gate.ask(id))
  }

  private func start(_ ids: [OperationID]) {
    for id in ids {
      if let indexPath = operations.handOver(id) { table.updateRow(at: indexPath) }
      engine.call(
        "startOperation", id.text,
        completion: hop("started") { [weak self] in
          if case .failure(let error) = $0 { self?.fail(id, error) }
        })
    }
  }

  private func fail(_ id: OperationID, _ error: ScriptError) {
    guard let indexPath = operations.fail(id) else { return }
    table.updateRow(at: indexPath)
    show(exception: error)
  }

  private func handle(_ message: ScriptMessage) {
    switch operations.handleMessage(message) {
    case .changed(let indexPath): table.updateRow(at: indexPath)
    case .ignored(let reason): screen.showIgnored(operations.ignoredCount, last: reason)
    }
  }

  // MARK: - The script

  private func load() {
    attempts += 1
    let attempt = attempts
    show(.loading(attempt: attempt))
    do throws(ScriptError) {
      engine.load(
        try source(), defining: "startOperation",
        completion: hop("script loaded") { [weak self] in self?.loaded($0, attempt) })
    } catch {
      show(.missing(error))
    }
  }

  private func loaded(_ result: Result<Void, ScriptError>, _ attempt: Int) {
    guard script == .loading(attempt: attempt) else { return }
    switch result {
    case .success:
      show(.ready)
      start(gate.scriptLoaded())
    case .failure(let error): show(.missing(error))
    }
  }

  /// Loads the script once more; operations that were on their way begin anew with it.
  private func loadAnew() {
    gate.scriptDropped()
    for indexPath in operations.unfinished { restartOperation(at: indexPath) }
    load()
  }

  private func show(exception: ScriptError) {
    // Of a script that was dropped meanwhile, nobody wants to hear.
    switch script {
    case .ready, .broken: show(.broken(exception))
    case .loading, .missing: break
    }
  }

  private func show(_ state: ScriptState) {
    script = state
    screen.show(state)
  }
}

extension OperationsController: ScriptMessageHandler {
  /// The bug is that this is called where the script runs, unless `ScriptMessagesOnMain` stands between.
  public func scriptEngine(_ engine: any ScriptRunning, didReceive message: ScriptMessage) {
    handle(message)
  }
}

extension OperationsController: OperationsTableDelegate {
  /// A tap starts what has failed anew.
  public func operationsTable(_ table: OperationsTable, didSelect indexPath: IndexPath) {
    if operations.operations[indexPath.row].hasFailed { restartOperation(at: indexPath) }
  }
}
