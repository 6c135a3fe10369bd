/// A stub, and how often it has answered.
public struct StubUse: Sendable, CustomStringConvertible {
    /// The stub.
    public let stub: Stub
    /// How often it has answered.
    public let count: Int

    package init(stub: Stub, count: Int) {
        self.stub = stub
        self.count = count
    }

    /// Whether it has answered less often than it must: ``Stub/minimumTimes``, else ``Stub/times``, else once.
    public var isMissing: Bool { count < stub.requiredTimes }

    /// The stub, where it was made, and how often it has answered.
    public var description: String {
        let limit = stub.times == nil && stub.minimumTimes == nil ? "\(count) times" : "\(count) of \(stub.shownTimes)"
        return "\(stub) (\(stub.source)) " + (count == 0 ? "never answered" : "answered \(limit)")
    }
}

/// Stubs that have not answered as often as they were told to.
public struct UnusedStubs: Error, Sendable, CustomStringConvertible {
    /// Which.
    public let stubs: [StubUse]

    /// Each on a line, with the place where it was made.
    public var description: String {
        let count = stubs.count == 1 ? "1 stub was" : "\(stubs.count) stubs were"
        return "\(count) not used as told:" + stubs.map { "\n  \($0)" }.joined()
    }
}
