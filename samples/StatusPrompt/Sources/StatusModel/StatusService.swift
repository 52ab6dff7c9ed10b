/// Fetches and saves profiles; it answers once, on any queue.
package protocol StatusService: Sendable {
  /// What an answer is handed to.
  typealias Answer = @Sendable (Result<KYSProfile, StatusError>) -> Void

  /// Fetches the user's profile.
  func getStatus(completion: @escaping Answer)

  /// Saves a profile, and answers with what was saved.
  func saveStatus(_ profile: KYSProfile, completion: @escaping Answer)
}
