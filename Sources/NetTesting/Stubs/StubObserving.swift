public import HTTPTypes

/// What a mock and a test server tell about the requests they have seen and the stubs that answered.
///
///     let transport = MockTransport([Stub(.post, "/orders", .status(.created))])
///     // … send requests …
///     try transport.expectReceived(.post, "/orders", times: 1)
///     print(transport.journal.requests(.get, "/users/{id}").map(\.parameters))
///     try transport.verify()
public protocol StubObserving: Sendable {
    /// The requests so far.
    var journal: RequestJournal { get }
    /// The stubs, in the order in which they are asked, and how often each has answered.
    var stubUses: [StubUse] { get }
}

extension StubObserving {
    /// Whether requests of that method (nil: any) and path came: at least one, or exactly `times` where it is given. Looks
    /// at what the journal keeps. ``expectReceived(_:_:times:)`` says what came instead.
    public func received(_ method: HTTPRequest.Method?, _ path: PathTemplate, times: Int? = nil) -> Bool {
        let count = journal.requests(method, path).count
        return times.map { $0 == count } ?? (count > 0)
    }

    /// The requests of that method (nil: any) and path, at least one, or exactly `times` where it is given; else throws, and
    /// the error names the requests that came, or the nearest to it. Looks at what the journal keeps.
    ///
    ///     let transport = MockTransport([Stub(.post, "/orders", .status(.created))])
    ///     // … send requests …
    ///     let order = try transport.expectReceived(.post, "/orders", times: 1)[0]
    ///     print(order.headers)
    @discardableResult
    public func expectReceived(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, times: Int? = nil
    ) throws(UnmetExpectation) -> [StubRequest] {
        let journal = journal
        let found = journal.requests(method, path)
        guard times.map({ $0 == found.count }) ?? !found.isEmpty else {
            throw UnmetExpectation(method, path, times: times, found: found, in: journal)
        }
        return found
    }

    /// Throws when a stub never answered, or less often than its ``Stub/times(_:)``: the error names each and the line
    /// where it was made. A stub that is ``Stub/optional()`` need not answer.
    public func verify() throws(UnusedStubs) {
        let missing = stubUses.filter(\.isMissing)
        if !missing.isEmpty { throw UnusedStubs(stubs: missing) }
    }
}
