// What a compiler cannot do, and what stands in for it there (docs/internals/platforms.md).

#if compiler(>=6.1)
  public import Testing

  extension AffinityChecked: TestScoping {}
  extension BlockingChecked: TestScoping {}
#else
  @_spi(Experimental) public import Testing

  @_spi(Experimental) extension AffinityChecked: TestScoping {}
  @_spi(Experimental) extension BlockingChecked: TestScoping {}

  /// What 6.1 has by this name. 6.0 has it by another, for trial.
  @_spi(Experimental) public protocol TestScoping: CustomExecutionTrait {
    /// Runs a test within what the trait sets up.
    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws
  }

  @_spi(Experimental) extension TestScoping {
    /// Runs a test within what the trait sets up.
    public func execute(
      _ function: @escaping @Sendable () async throws -> Void, for test: Test, testCase: Test.Case?
    ) async throws {
      try await provideScope(for: test, testCase: testCase, performing: function)
    }
  }
#endif
