public import HTTPTypes

/// The requests that a mock or test server has received, oldest first: the newest up to the limit; older ones are only
/// counted.
public struct RequestJournal: Sendable {
    /// The requests that are kept, whether they matched a stub or not. A test server keeps only the beginning of a
    /// body.
    public let requests: [StubRequest]
    /// The number of older requests that were dropped because of the limit.
    public let forgotten: Int

    package init(requests: [StubRequest], forgotten: Int) {
        self.requests = requests
        self.forgotten = forgotten
    }

    /// The kept requests with that method (nil for any) and path, with the path's parameters set.
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

extension RequestJournal: CustomStringConvertible {
    /// The newest requests, one per line, with secrets hidden: the text that a failing test prints.
    ///
    ///     let transport = MockTransport([Stub(.post, "/orders", .status(.created))])
    ///     print(transport.journal)
    public var description: String {
        guard !requests.isEmpty else { return "no request was sent" }
        let start = max(0, requests.count - Self.shownRequests)
        let older = start + forgotten
        let lines = requests.enumerated().dropFirst(start).map { "\n  \(forgotten + $0.offset + 1). \($0.element)" }
        return "\(requests.count + forgotten) requests" + (older > 0 ? ", the first \(older) not shown" : "") + ":"
            + lines.joined()
    }

    private static let shownRequests = 10

    /// The requests nearest to a method and path, each with its differences.
    func nearest(_ method: HTTPRequest.Method?, _ path: PathTemplate) -> [String] {
        let asked = Stub(method, path, .status(.ok))
        return requests.enumerated()
            .filter { !asked.mismatches($0.element, isUsedUp: false, isBodyKnown: false).isEmpty }
            .map { (offset: $0.offset, likeness: asked.likeness(to: $0.element), request: $0.element) }
            .sorted { ($1.likeness, $0.offset) < ($0.likeness, $1.offset) }
            .prefix(3)
            .map { near in
                let wrong = asked.mismatches(near.request, isUsedUp: false, isBodyKnown: false)
                return "\(forgotten + near.offset + 1). \(near.request.line): \(wrong.joined(separator: "; "))"
            }
    }
}
