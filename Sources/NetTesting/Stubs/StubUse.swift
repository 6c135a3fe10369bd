/// A stub, and the number of its responses.
public struct StubUse: Sendable, CustomStringConvertible {
    /// The stub.
    public let stub: Stub
    /// The number of its responses.
    public let count: Int

    package init(stub: Stub, count: Int) {
        self.stub = stub
        self.count = count
    }

    /// True if the stub has responded less often than required: by ``Stub/minimumTimes``, otherwise ``Stub/times``,
    /// otherwise once.
    public var isMissing: Bool { count < stub.requiredTimes }

    /// The stub, the place where it was created, and the number of its responses.
    public var description: String {
        let limit = stub.times == nil && stub.minimumTimes == nil ? "\(count) times" : "\(count) of \(stub.shownTimes)"
        return "\(stub) (\(stub.source)) " + (count == 0 ? "never used" : "used \(limit)")
    }
}

/// The error for stubs that haven't responded as often as required.
public struct UnusedStubs: Error, Sendable, CustomStringConvertible {
    /// The stubs.
    public let stubs: [StubUse]

    /// Each stub on a separate line, with the place where it was created.
    public var description: String {
        let count = stubs.count == 1 ? "1 stub was" : "\(stubs.count) stubs were"
        return "\(count) not used as often as required:" + stubs.map { "\n  \($0)" }.joined()
    }
}
