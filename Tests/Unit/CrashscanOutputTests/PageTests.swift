import CrashAnalysis
import Foundation
import IncidentModel
import CLogFormat
import Testing
import TextOutput

@testable import CrashscanOutput

/// The page with the timeline, as far as it can be judged without a browser.
@Suite struct PageTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]) func digestsAreThoseOfTheStandard(_ message: String, _ digest: String) {
    let hexadecimal = SHA256.digest(of: Array(message.utf8)).map { String(format: "%02x", $0) }
    #expect(hexadecimal.joined() == digest)
  }

  /// Every length around the block's, where padding could go wrong, against Foundation's base64 and
  /// an identity of the digest: equal messages, equal digests; others, others.
  @Test func digestsOfAllLengthsDiffer() {
    let digests = (0..<200).map { SHA256.digest(of: [UInt8](repeating: 7, count: $0)) }
    #expect(Set(digests).count == 200)
    #expect(digests.allSatisfy { $0.count == 32 })
  }

  @Test(arguments: 0..<12) func base64IsFoundations(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 200) }
    #expect(Base64.encoded(bytes) == Data(bytes).base64EncodedString())
  }

  @Test func jsonCannotEndItsElementAndSaysTheSame() throws {
    let text = "</script><!--<script>&lt;\u{2028}\u{2029}\"\\"
    var json = JSONWriter()
    json.array([text]) { $0.value($1) }
    let inert = Markup.inert(json.take())
    #expect(!inert.contains { "<>&\u{2028}\u{2029}".contains($0) })
    let read = try JSONSerialization.jsonObject(with: Data(inert.utf8)) as? [String]
    #expect(read == [text])
  }

  @Test func whatIsFilledInIsNotLookedAtAgain() {
    let filled = PagePiece.frame.filled(["title": "{{data}}", "data": "x"])
    #expect(filled.contains("<title>{{data}}</title>"))
  }

  @Test func countsBeyondCountingAreShownAsTheyAre() throws {
    let losses = Incident.Losses(
      recycled: [.note: .max, .hop: 1], dropped: [.note: .max, .hop: .max])
    let source = MadeUpEvents(losses: losses)
    let recorder = TimelineRecorder()
    let summary = try Analyzer().analyze(source, input: "log", witness: recorder)
    var timelines = Timelines()
    timelines.add(recorder)
    let page = HTMLReporter(version: "1", timelines: timelines).write(Report(summary))
    #expect(page.contains("\"recycled\":\(UInt64.max),\"dropped\":\(UInt64.max)"))
  }

  @Test func thePolicyKnowsThePagesOwnScriptAndStyleAndNothingElse() {
    let page = HTMLReporter(version: "1").write(Report(Summary()))
    #expect(page.contains("default-src 'none'; script-src '\(PagePiece.script.digest)'"))
    #expect(page.contains("style-src '\(PagePiece.style.digest)'"))
    #expect(!page.contains("unsafe-inline"))
    #expect(page.contains("<script>\(PagePiece.script.text)</script>"))
  }

  @Test func theScriptSpellsWordsAsTheLogDoes() {
    let steps: [LifecycleStep] = [.didEnterBackground, .didBecomeActive, .willEnterForeground]
    let messages = [MS_WORD_ARRIVAL, MS_WORD_DROP]
    let keys = [MS_KEY_STEP, MS_KEY_NANOSECONDS, MS_KEY_MILLISECONDS]
    let script = PagePiece.script.text
    for word in steps.map({ "\($0.text)" }) + messages.map({ "\($0)" }) + keys {
      #expect(script.contains("\"\(word)\""), "\(word)")
    }
  }

  @Test func nothingOfThePageNamesTheNetworkOrSinksOfMarkup() {
    let script = PagePiece.script.text
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(",
    ] {
      #expect(!script.contains(word), "\(word)")
    }
    let addresses = script.split(separator: "\"").filter { $0.hasPrefix("http") }
    #expect(addresses.isEmpty)
  }
}
