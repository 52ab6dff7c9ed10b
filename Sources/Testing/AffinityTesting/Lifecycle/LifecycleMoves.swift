import Breadcrumbs
import Foundation

extension LifecycleDriver.Move {
  /// The state after the move; nil if no system makes the move.
  func destination(from state: LifecycleDriver.State) -> LifecycleDriver.State? {
    switch (self, state) {
    case (.launch, .notRunning), (.foreground, .background): .active
    case (.background, .active), (.expiration, .background): .background
    case (.terminate, .active), (.terminate, .background): .terminated
    default: nil
    }
  }

  /// The events of the move, in order.
  var events: [LifecycleEvent] {
    switch self {
    case .launch: [.didLaunch, .didBecomeActive]
    case .background: [.willResignActive, .didEnterBackground]
    case .expiration: []
    case .foreground: [.willEnterForeground, .didBecomeActive]
    case .terminate: [.willTerminate]
    }
  }
}

extension LifecycleDriver.State {
  /// The name of the state in messages.
  var text: String {
    switch self {
    case .notRunning: "“not running”"
    case .active: "“active”"
    case .background: "“in the background”"
    case .terminated: "“terminated”"
    }
  }
}

extension LifecycleEvent {
  /// The UIKit notification for the event; nil if UIKit posts none.
  var notification: Notification.Name? {
    let names: [LifecycleEvent: String] = [
      .didLaunch: "UIApplicationDidFinishLaunchingNotification",
      .didBecomeActive: "UIApplicationDidBecomeActiveNotification",
      .willResignActive: "UIApplicationWillResignActiveNotification",
      .didEnterBackground: "UIApplicationDidEnterBackgroundNotification",
      .willEnterForeground: "UIApplicationWillEnterForegroundNotification",
      .willTerminate: "UIApplicationWillTerminateNotification",
    ]
    return names[self].map { Notification.Name($0) }
  }
}

extension LifecycleDriver {
  /// An endless random sequence of moves: background, sometimes expiration, then foreground.
  struct Walk {
    private var isInBackground = false
    private var hasExpired = false

    mutating func next(_ random: inout SeededRandom) -> Move {
      if !isInBackground {
        isInBackground = true
        hasExpired = false
        return .background
      }
      if !hasExpired, random.chance(1, in: 2) {
        hasExpired = true
        return .expiration
      }
      isInBackground = false
      return .foreground
    }
  }
}
