import Glibc
import IncidentModel

extension ProcessSource {
  /// Reads the threads and the tasks, and reads them again if the rules need two readings.
  ///
  /// - Parameter symbols: The symbols of the process's modules.
  package func captureWithTasks(
    _ symbols: ProcessSymbols
  ) throws(ProcessFailure) -> (capture: ProcessCapture, tasks: TaskPicture) {
    let processors = processors
    var (first, before) = try captureTasks(symbols, processors)
    let isWhole =
      switch first.stop {
      case .stopped, .dead: true
      case .partly, .running: false
      }
    if !isWhole || !isMemoryWhole { before.forgetReferences() }
    let mayBeChecked = symbols.checkedContinuations()
    let lost = first.stop == .dead ? [] : before.lost(mayBeChecked)
    let asksWhatLasts = first.stop != .dead && (before.needsSecondReading || !lost.isEmpty)
    if isWhole && !asksWhatLasts { return (first, before) }
    let began = Self.now
    if asksWhatLasts { usleep(Self.microsecondsBetween) }
    let span = Self.now - began
    var (capture, tasks) = (first, before)
    var stillLost: Set<UInt64> = []
    do throws(ProcessFailure) {
      let (again, after) = try captureTasks(symbols, processors)
      if case .stopped = again.stop {
        stillLost = lost.intersection(after.lost(mayBeChecked)).filter {
          after.task($0)?.stack == before.task($0)?.stack
        }
      } else if !lost.isEmpty {
        tasks.gaps.append(
          "the process ran while its memory was read again: crashscan judges no lost continuations")
      }
      if !isWhole {
        tasks = after
        tasks.keepWaits(commonWith: before)
      }
      if asksWhatLasts {
        var lasting = LastingWork(from: before, to: after, span: span)
        lasting.stacks = stacks(of: lasting.busy, after, again)
        tasks.lasting = lasting
        capture.notes += Self.note(span, again.stop)
      }
    } catch {
      // If the process has ended meanwhile, only the first reading remains.
      if !isWhole { tasks.keepWaits(commonWith: TaskPicture()) }
      capture.notes.append("crashscan read the process only once: \(error)")
    }
    // The only reference may be in a place that one reading cannot see: in a register while an array
    // moves its elements, or in the kernel.
    tasks.forgetReferences { lost.contains($0) && !stillLost.contains($0) }
    if !isWhole {
      tasks.gaps.append(
        "the process ran while its memory was read: crashscan judges only waits that two readings show, and no lost continuations"
      )
    }
    return (capture, tasks)
  }

  /// The note about a second stop.
  private static func note(_ span: UInt64, _ stop: ProcessPicture.Stop) -> [String] {
    switch stop {
    case .stopped(let time), .partly(let time):
      [
        "crashscan read the process again after \(TimeSpan.text(nanoseconds: span)) to find waits that last, and "
          + "stopped the process for another \(TimeSpan.text(nanoseconds: time))"
      ]
    case .running, .dead: []
    }
  }

  /// The stacks of tasks that run, and of their async callers.
  private func stacks(
    of busy: Set<UInt64>, _ picture: TaskPicture, _ capture: ProcessCapture
  ) -> [UInt64: [Stack]] {
    if busy.isEmpty { return [:] }
    let stack = capture.stacks()
    var found: [UInt64: [Stack]] = [:]
    for task in picture.tasks where busy.contains(task.id) {
      guard case .running(let id?) = task.state,
        let thread = capture.threads.first(where: { $0.kernelID == id })
      else { continue }
      found[task.id] = [stack(thread), task.stack]
    }
    return found
  }

  private func captureTasks(
    _ symbols: ProcessSymbols, _ processors: Int?
  ) throws(ProcessFailure) -> (ProcessCapture, TaskPicture) {
    var tasks = TaskPicture()
    let capture = try capture { memory, threads in
      tasks = TaskScan(memory, threads: threads, symbols: symbols, processors: processors)
        .picture()
    }
    return (capture, tasks)
  }

  private static var microsecondsBetween: UInt32 { 500_000 }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
