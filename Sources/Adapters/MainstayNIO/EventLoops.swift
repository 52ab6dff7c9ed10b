#if NIO
  public import CrashCapture
  internal import CRecorder
  public import NIOCore
  public import NIOPosix
  public import ThreadAffinity

  extension Affinity {
    /// The affinity to an event loop, with the loop's own check. `async` runs code on the loop, in the order
    /// of the calls.
    ///
    ///     let connections = Affinity.eventLoop(channel.eventLoop, "connections")
    ///     connections.expect("the table of connections is the loop's")
    ///
    /// - Parameters:
    ///   - loop: An event loop.
    ///   - name: The name in reports.
    public static func eventLoop(_ loop: any EventLoop, _ name: String = "") -> Affinity {
      return .loop(name, isCurrent: { loop.inEventLoop }, execute: { loop.execute($0) })
    }
  }

  extension QueueHop {
    /// Creates a hop to `target` on an event loop, which runs one task at a time, like a serial queue. The
    /// target must be an object and is held weakly.
    @inline(never)
    public convenience init(
      _ target: Target, to loop: any EventLoop, _ name: StaticString = "hop",
      delivery: HopDelivery = .automatic, file: StaticString = #fileID, line: UInt = #line,
      column: UInt = #column, function: StaticString = #function
    ) {
      self.init(
        target, toLoop: .eventLoop(loop), name, delivery: delivery,
        site: CallSite(file: file, line: line, column: column, function: function),
        from: ms_maker())
    }
  }

  extension HangWatch {
    /// Watches each loop of a group, as long as you keep the watches. At most 26 watches of all kinds can be
    /// active.
    ///
    ///     let watches = HangWatch.all()
    ///
    /// - Parameters:
    ///   - group: A group of event loops; by default the singleton group that servers use.
    ///   - name: The name of the loops in findings, followed by a number.
    ///   - threshold: The time without an answer after which a hang is recorded.
    public static func all(
      of group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, _ name: String = "loop",
      threshold: Duration = .seconds(2)
    ) -> [HangWatch] {
      group.makeIterator().enumerated().map { number, loop in
        HangWatch(eventLoop: loop, "\(name) \(number + 1)", threshold: threshold)
      }
    }

    /// Watches an event loop.
    public convenience init(
      eventLoop: any EventLoop, _ name: String = "loop", threshold: Duration = .seconds(2)
    ) {
      self.init(named: name, threshold: threshold) { beat in eventLoop.execute(beat) }
    }
  }
#endif
