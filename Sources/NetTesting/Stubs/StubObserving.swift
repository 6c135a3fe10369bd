public import HTTPTypes

/// The observation of the requests that a mock or a test server has received, and of the stubs that responded.
///
///     let transport = MockTransport([Stub(.post, "/orders", .status(.created))])
///     // … send requests …
///     try transport.expectReceived(.post, "/orders", times: 1)
///     print(transport.journal.requests(.get, "/users/{id}").map(\.parameters))
///     try transport.verify()
public protocol StubObserving: Sendable {
    /// The requests so far.
    var journal: RequestJournal { get }
    /// The stubs, in the order in which they are tried, each with the number of its responses.
    var stubUses: [StubUse] { get }
}

extension StubObserving {
    /// Returns true if requests with that method (nil for any) and path arrived: at least one, or exactly `times` if
    /// given. Considers only the requests in the journal. Use ``expectReceived(_:_:times:)`` to see the requests that
    /// arrived instead.
    public func received(_ method: HTTPRequest.Method?, _ path: PathTemplate, times: Int? = nil) -> Bool {
        let count = journal.requests(method, path).count
        return times.map { $0 == count } ?? (count > 0)
    }

    /// Returns the requests with that method (nil for any) and path: at least one, or exactly `times` if given.
    /// Otherwise throws an error that names the matching requests, or the nearest ones. Considers only the requests in
    /// the journal.
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

    /// Throws if a stub never responded, or responded less often than its ``Stub/times(_:)-(Int)``; the error names each
    /// such stub and the line where it was created. A stub that is ``Stub/optional()`` doesn't have to respond.
    public func verify() throws(UnusedStubs) {
        let missing = stubUses.filter(\.isMissing)
        if !missing.isEmpty { throw UnusedStubs(stubs: missing) }
    }
}
