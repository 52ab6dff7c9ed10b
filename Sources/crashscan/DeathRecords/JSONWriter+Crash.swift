import IncidentModel
import TextOutput

extension JSONWriter {
  /// Writes a crash; `resolver` symbolicates its stacks.
  package mutating func value(_ crash: Crash, _ resolver: inout StackResolver) {
    beginObject()
    member("time", WallTime(nanoseconds: crash.wall).iso8601)
    member("monotonic", crash.monotonic)
    member("signal", SignalName.of(crash.signal))
    member("signalNumber", crash.signal)
    member("code", crash.code)
    member("address", crash.address.map(hexadecimal))
    key("sender")
    value(crash.sender)
    member("stage", crash.stage.name)
    key("texts")
    array(crash.texts) { $0.value($1) }
    member("kernelID", crash.kernelID)
    key("thread")
    value(crash.thread, crash, &resolver)
    key("task")
    value(crash.task)
    key("context")
    array(crash.crumbContext) { $0.value($1.key, $1.value) }
    key("waiting")
    value(crash.waiting, crash, &resolver)
    member("allTasks", crash.allTasks)
    key("otherThreads")
    beginArray()
    for thread in crash.otherThreads { value(thread, crash, &resolver) }
    endArray()
    member("threadCount", crash.threadCount)
    member("walkedCount", crash.walkedCount)
    member("isOutOfTime", crash.isOutOfTime)
    member("isListIncomplete", crash.isListIncomplete)
    key("others")
    array(crash.others) { $0.value($1) }
    key("registers")
    value(crash.registers)
    key("codeBytes")
    value(crash.codeBytes)
    key("stackBytes")
    value(crash.stackBytes)
    endObject()
  }

  private mutating func value(_ sender: Crash.Sender?) {
    guard let sender else { return null() }
    object {
      $0.member("process", sender.process)
      $0.member("user", sender.user)
    }
  }

  private mutating func value(_ text: Crash.Text) {
    let (source, words) =
      switch text {
      case .swift(let words): ("swift", words)
      case .cLibrary(let words): ("c-library", words)
      case .exceptionType(let words): ("exception-type", words)
      case .exception(let words): ("exception", words)
      }
    object {
      $0.member("source", source)
      $0.member("text", words)
    }
  }

  private mutating func value(
    _ thread: CrashThread?, _ crash: Crash, _ resolver: inout StackResolver
  ) {
    guard let thread else { return null() }
    beginObject()
    member("id", thread.kernelID)
    member("ordinal", thread.ordinal)
    member("name", thread.name)
    key("queue")
    value(thread.queue)
    key("onMain")
    value(thread.onMain)
    member("source", thread.source.name)
    key("stack")
    value(resolver.resolve(thread.stack, when: crash.monotonic))
    endObject()
  }

  package mutating func value(_ task: CrashTask?) {
    guard let task else { return null() }
    object {
      $0.member("id", task.id)
      $0.member("name", task.name)
      $0.member("parent", task.parent.map { Int(clamping: $0) })
      $0.member("priority", task.priority?.words)
      $0.member("place", task.place?.words)
    }
  }

  private mutating func value(
    _ waiting: WaitingTasks?, _ crash: Crash, _ resolver: inout StackResolver
  ) {
    guard let waiting else { return null() }
    beginObject()
    member("tasks", waiting.tasks)
    member("unreadBytes", waiting.unread)
    key("places")
    beginArray()
    for place in waiting.places {
      beginObject()
      member("for", place.kind.name)
      member("executor", place.executor == 0 ? nil : hexadecimal(place.executor))
      member("type", place.type.isEmpty ? nil : place.type)
      member("tasks", place.tasks)
      member("task", place.task)
      key("stack")
      value(resolver.resolve(place.stack, when: crash.monotonic))
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func value(_ other: Crash.Other) {
    object {
      $0.member("role", other.role.name)
      $0.member("signal", SignalName.of(other.signal))
      $0.member("kernelID", other.kernelID)
    }
  }

  private mutating func value(_ registers: Registers?) {
    guard let registers else { return null() }
    object {
      for (name, value) in zip(registers.machine.names, registers.values) {
        $0.key(name)
        $0.value(hexadecimal(value))
      }
    }
  }

  private mutating func value(_ bytes: Crash.Bytes?) {
    guard let bytes else { return null() }
    object {
      $0.member("address", hexadecimal(bytes.address))
      $0.member("bytes", bytes.bytes.map(twoDigits).joined())
    }
  }
}
