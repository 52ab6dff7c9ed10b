// Features that some compilers lack, and their replacements (docs/internals/platforms.md).

#if compiler(>=6.1)
  public import Testing

  extension AffinityChecked: TestScoping {}
  extension BlockingChecked: TestScoping {}
#else
  @_spi(Experimental) public import Testing

  @_spi(Experimental) extension AffinityChecked: TestScoping {}
  @_spi(Experimental) extension BlockingChecked: TestScoping {}

  /// The protocol under its Swift 6.1 name; Swift 6.0 has it under another, experimental name.
  @_spi(Experimental) public protocol TestScoping: CustomExecutionTrait {
    /// Runs a test within the scope that the trait provides.
    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws
  }

  @_spi(Experimental) extension TestScoping {
    /// Runs a test within the scope that the trait provides.
    public func execute(
      _ function: @escaping @Sendable () async throws -> Void, for test: Test, testCase: Test.Case?
    ) async throws {
      try await provideScope(for: test, testCase: testCase, performing: function)
    }
  }
#endif
