public import HTTPTypes

/// The requests that a mock or test server has seen, oldest first: the newest up to its limit, the rest only counted.
public struct RequestJournal: Sendable {
    /// The requests that are kept, whether a stub answered them or not. A test server keeps only the beginning of a body.
    public let requests: [StubRequest]
    /// How many older ones were forgotten because of the limit.
    public let forgotten: Int

    package init(requests: [StubRequest], forgotten: Int) {
        self.requests = requests
        self.forgotten = forgotten
    }

    /// The kept requests of that method (nil: any) and path, with the path's parameters filled in.
    public func requests(_ method: HTTPRequest.Method?, _ path: PathTemplate) -> [StubRequest] {
        requests.compactMap { request in
            guard method == nil || method == request.method else { return nil }
            return path.match(request.path).map { parameters in
                var request = request
                request.parameters = parameters
                return request
            }
        }
    }
}

/// What a mock and a test server tell about the requests they have seen and the stubs that answered.
///
///     let transport = MockTransport([Stub(.post, "/orders", .status(.created))])
///     // … send requests …
///     print(transport.received(.post, "/orders", times: 1))
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
    /// at what the journal keeps.
    public func received(_ method: HTTPRequest.Method?, _ path: PathTemplate, times: Int? = nil) -> Bool {
        let count = journal.requests(method, path).count
        return times.map { $0 == count } ?? (count > 0)
    }

    /// Throws when a stub never answered, or less often than its ``Stub/times(_:)``: the error names each and the line
    /// where it was made.
    public func verify() throws(UnusedStubs) {
        let missing = stubUses.filter(\.isMissing)
        if !missing.isEmpty { throw UnusedStubs(stubs: missing) }
    }
}
