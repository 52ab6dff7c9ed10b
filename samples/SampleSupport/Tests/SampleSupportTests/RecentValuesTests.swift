import SampleSupport
import Testing

@Suite struct RecentValuesTests {
  @Test func theLeastRecentlyUsedIsForgotten() {
    var values = RecentValues<String, Int>(capacity: 2)
    values["a"] = 1
    values["b"] = 2
    _ = values["a"]
    values["c"] = 3
    #expect(["a", "b", "c"].map { values[$0] } == [1, nil, 3])
  }

  @Test func whatIsSetAgainIsThereOnce() {
    var values = RecentValues<String, Int>(capacity: 2)
    for number in 1...3 { values["a"] = number }
    values["b"] = 4
    #expect(["a", "b"].map { values[$0] } == [3, 4])
    values["a"] = nil
    #expect(values["a"] == nil)
  }
}
