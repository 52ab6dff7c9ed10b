import HeadlessUI
import StatusModel
import Synchronization
import ThreadAffinity

/// A service whose answers come where and when the screen can take them, as far as the care goes.
final class CarefulService: StatusService {
  private let service: any StatusService
  private let application: Application
  private let care: AnswerCare
  private let door: FrontDoor
  private let hop: MainHop<FrontDoor>
  private let answerCount = Atomic(0)

  init(_ service: any StatusService, application: Application, door: FrontDoor, care: AnswerCare) {
    self.service = service
    self.application = application
    self.door = door
    self.care = care
    hop = MainHop(door, "status answers")
  }

  /// How many answers have come, whether anything was done with them or not; from any queue.
  var answers: Int { answerCount.load(ordering: .acquiring) }

  func getStatus(completion: @escaping Answer) {
    service.getStatus { [self] answer in
      deliver { completion(answer) }
    }
  }

  /// Asks for time in the background: who saves may leave the app at once.
  func saveStatus(_ profile: KYSProfile, completion: @escaping Answer) {
    let application = application
    let task = application.beginBackgroundTask(withName: "save status") {
      application.endBackgroundTask($0)
    }
    service.saveStatus(profile) { [self] answer in
      deliver { completion(answer) }
      application.endBackgroundTask(task)
    }
  }

  private func deliver(_ answer: @escaping @Sendable () -> Void) {
    if !care.contains(.hops) {
      answer()
    } else if care.contains(.waitsForFront) {
      hop.send { $0.pass(answer) }
    } else {
      hop.send { _ in answer() }
    }
    answerCount.add(1, ordering: .releasing)
  }
}
