import CrashAnalysis
import Testing

@Suite struct CallbackRuleTests {
  @Test func everyLineOfTheTableIsARule() {
    #expect(CallbackRules.all.count >= 120)
    #expect(CallbackRules.all.count == CallbackRules.lines.count)
  }

  @Test func noApiIsToldTwice() {
    let keys = CallbackRules.all.map { $0.framework + " " + $0.api }
    #expect(Set(keys).count == keys.count)
  }

  @Test func noFrameworkHasTwoRulesForOneCallback() {
    for framework in Set(CallbackRules.all.map(\.framework)) {
      let names = CallbackRules.all.filter { $0.framework == framework }.flatMap(\.callbacks)
      #expect(Set(names).count == names.count, "\(framework)")
    }
  }

  @Test func everyRuleHasACallbackAndASentence() {
    for rule in CallbackRules.all {
      #expect(!rule.callbacks.isEmpty || !rule.callers.isEmpty, "\(rule.api)")
      #expect(!rule.rule.isEmpty && !rule.rule.hasSuffix("."), "\(rule.api)")
      #expect(rule.advice.isEmpty || rule.advice.hasSuffix("."), "\(rule.api)")
    }
  }

  @Test func everyPlaceIsUsed() {
    #expect(Set(CallbackRules.all.map(\.place)) == Set(CallbackRule.Place.allCases))
  }

  @Test(arguments: [
    ("productsRequest:didReceiveResponse:", CallbackRule.Place.any),
    ("locationManager(_:didUpdateLocations:)", .runLoop),
    ("centralManagerDidUpdateState(_:)", .queue),
    ("urlSession(_:dataTask:didReceive:)", .queue), ("webView:didFinishNavigation:", .main),
    ("photoLibraryDidChange(_:)", .any),
    ("observeValueForKeyPath:ofObject:change:context:", .caller),
    ("onPurchasesUpdated", .any),
  ])
  func aCallbackIsFoundByItsName(name: String, place: CallbackRule.Place) {
    #expect(CallbackRules.rules(forCallback: name).map(\.place) == [place])
  }

  /// OkHttp and Retrofit have one name for opposite promises: only the caller tells which it is.
  @Test func oneNameMayBeOfTwoFrameworks() {
    let rules = CallbackRules.rules(forCallback: "onResponse")
    #expect(rules.map(\.framework) == ["okhttp3", "retrofit2"])
    #expect(rules.map(\.place) == [.any, .main])
  }
}
