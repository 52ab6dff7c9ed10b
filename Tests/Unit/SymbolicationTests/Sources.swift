/// The programs that the tests build. What they do does not matter: what compilers make of them does.
extension Workshop {
  static let cxxSource = """
    #include <algorithm>
    #include <functional>
    #include <map>
    #include <regex>
    #include <string>
    #include <variant>
    #include <vector>
    template <int N> struct Worker {
      std::map<std::string, std::vector<int>> found;
      std::function<int(int)> scale;
      int run(const std::string &text) {
        std::regex pattern("a+(b|c)*" + std::to_string(N));
        std::smatch match;
        if (std::regex_search(text, match, pattern)) found[match[0]].push_back(N);
        std::vector<int> values;
        for (int i = 0; i < N * 10; i++) values.push_back(i * N);
        std::sort(values.begin(), values.end(), [](int a, int b) { return a % (N + 1) < b % (N + 1); });
        scale = [this](int x) { return x * (int)found.size(); };
        try {
          if (values.size() > 40) throw std::string("many");
        } catch (std::string &reason) { return (int)reason.size(); }
        return scale((int)values.size());
      }
    };
    using Value = std::variant<int, double, std::string>;
    int main(int count, char **arguments) {
      std::string text = count > 1 ? arguments[1] : "aabb";
      int sum = Worker<3>().run(text) + Worker<5>().run(text);
      Value value = text;
      std::visit([&](auto &held) { sum += sizeof held; }, value);
      return sum & 1;
    }
    """

  static let cSource = """
    #include <stdio.h>
    __attribute__((always_inline)) static inline int total(int x) {
      int sum = 0;
      for (int i = 0; i < x; i++) sum += printf("%d", i) * x;
      return sum;
    }
    __attribute__((noinline)) int leaf(int x) { return total(x) + total(x + 1) * x; }
    __attribute__((noinline)) int caller(int x) {
      for (int i = 0; i < x; i++) x += leaf(i);
      return leaf(x) + 1;
    }
    int main(int count, char **arguments) { printf("%d", caller(count)); return 0; }
    """

  static let swiftSource = """
    protocol Shape { var area: Double { get } }
    struct Square: Shape, Hashable { var side: Double; var area: Double { side * side } }
    final class Circle: Shape {
      var radius: Double
      init(radius: Double) { self.radius = radius }
      var area: Double { radius * radius * 3.14 }
    }
    enum Failure: Error { case empty, tooLarge(Int) }
    func largest(_ shapes: [any Shape]) throws -> Double {
      guard let first = shapes.first else { throw Failure.empty }
      if shapes.count > 1000 { throw Failure.tooLarge(shapes.count) }
      return shapes.reduce(first.area) { max($0, $1.area) }
    }
    @inline(__always) func grouped<T: Hashable>(_ values: [T]) -> [T: Int] {
      var counts: [T: Int] = [:]
      for value in values { counts[value, default: 0] += 1 }
      return counts
    }
    func later(_ n: Int) async -> Int {
      await Task.yield()
      return n > 0 ? await later(n - 1) + n : 0
    }
    actor Gate {
      var inside = 0
      var waiters: [CheckedContinuation<Void, Never>] = []
      func enter() { inside += 1 }
      func empty() async {
        if inside == 0 { return }
        await withCheckedContinuation { waiters.append($0) }
      }
    }
    @main struct Program {
      static func main() async throws {
        let gate = Gate()
        if CommandLine.arguments.count > 9 { await gate.enter() }
        await gate.empty()
        let squares = (0..<50).map { Square(side: Double($0 % 7)) }
        let counts = grouped(squares).sorted { $0.value < $1.value }
        let text = counts.map { "\\($0.key.area)=\\($0.value)" }.joined(separator: ",")
        let sum = await withTaskGroup(of: Int.self) { group in
          for n in 0..<4 { group.addTask { await later(n) } }
          return await group.reduce(0, +)
        }
        print(text, sum, try largest(squares + [Circle(radius: 2)]))
      }
    }
    """
}

/// Two functions with data in them, one of which has no size.
let markedSource = """
    .text
    .globl work
    .type work, %function
  work:
    nop
    .word 7
    nop
    .size work, . - work
    .globl bare
  bare:
    nop
    .word 8
    nop

  """
