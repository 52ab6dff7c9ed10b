// What a compiler cannot do, and what stands in for it there (docs/platforms.md).

#if compiler(>=6.1)
  public import Testing

  extension AffinityChecked: TestScoping {}
  extension BlockingChecked: TestScoping {}
#else
  // 6.0 has it by another name, for trial.
  @_spi(Experimental) public import Testing

  @_spi(Experimental) extension AffinityChecked: CustomExecutionTrait {
    /// Runs a test, checked.
    public func execute(
      _ function: @escaping @Sendable () async throws -> Void, for test: Test, testCase: Test.Case?
    ) async throws {
      try await provideScope(for: test, testCase: testCase, performing: function)
    }
  }

  @_spi(Experimental) extension BlockingChecked: CustomExecutionTrait {
    /// Runs a test, checked.
    public func execute(
      _ function: @escaping @Sendable () async throws -> Void, for test: Test, testCase: Test.Case?
    ) async throws {
      try await provideScope(for: test, testCase: testCase, performing: function)
    }
  }
#endif
