import IncidentModel

/// Lists the steps that led to off-main work: registered, sent, called, hopped or not, touched.
enum CauseChain {
  static func steps(_ work: MisplacedWork, _ event: Event, _ run: RunState) -> [Finding.Step] {
    steps(work, at: event.moment, run.thread(event.thread), queue: event.queue?.label, run)
  }

  static func steps(
    _ work: MisplacedWork, at moment: Moment, _ thread: String, queue: String?, _ run: RunState
  ) -> [Finding.Step] {
    let before = work.isOnMain ? [] : run.steps(before: moment, of: work.owners)
    var steps = before + work.origins.reversed().map(origin)
    steps += work.reading.awaited(on: thread, queue: queue)
    let links = work.reading.links
    if let sent = links.last, links.count > 1, sent.frame.isNamed {
      steps.append(
        Finding.Step(sentBy(sent), thread: thread, queue: queue, place: sent.frame.place))
    }
    if let callback = work.reading.callback, callback != links.last?.frame, callback.isNamed {
      steps.append(
        Finding.Step("called back", thread: thread, queue: queue, place: callback.place))
    }
    if !work.isOnMain {
      steps.append(Finding.Step("no hop to \(work.home.words)", thread: thread, queue: queue))
    }
    let touched = Finding.Step(
      "touched “\(work.api)”", thread: thread, queue: queue, place: work.touched)
    steps.append(work.witness == nil ? touched : WitnessTrap.told(touched))
    return steps
  }

  private static func origin(_ origin: MisplacedWork.Origin) -> Finding.Step {
    guard let words = origin.words else {
      return Finding.Step(origin.text, thread: "", queue: nil)
    }
    return Finding.Step(
      words.how, thread: DisplayText.place(words.place), queue: nil,
      place: origin.sender ?? origin.place)
  }

  private static func sentBy(_ link: StackReading.Link) -> String {
    if link.frame.traits.isClosure { return "delivered by its queue" }
    return link.byLibrary && !link.isOfPool && !link.isThreadTarget
      ? "delivered by a library" : "began in"
  }
}

extension StackReading {
  /// Returns the async callers of the stack as steps, outermost first.
  func awaited(on thread: String, queue: String?) -> [Finding.Step] {
    awaiting.prefix(6).reversed().map { link in
      Finding.Step("awaits", thread: thread, queue: queue, place: link.frame.place)
    }
  }
}
