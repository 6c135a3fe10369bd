public import HTTPTypes

/// A response to one kind of request. The same value works with ``MockTransport`` and with the loopback test server.
///
/// A stub matches by method, path template, and optional conditions for query, header fields and body. Of all matching
/// stubs, the one with the highest ``priority`` responds; among equals, the first in the list that isn't used up.
///
///     let stubs = [
///         Stub(.get, "/users/{id}") { request in
///             .json(["id": request.parameters["id"] ?? ""])
///         },
///         Stub(.post, "/users", .status(.created)).body(.json(["name": "Ada"])).times(1),
///         Stub(.get, "/slow", .text("at last").delayed(by: .seconds(5))),
///         Stub(.get, "/broken", .dropped()),
///     ]
public struct Stub: Sendable {
    /// The way in which a stub creates its response.
    package enum Answer: Sendable {
        case fixed(StubResponse)
        case made(@Sendable (StubRequest) async throws -> StubResponse)
        case streaming(@Sendable (StubRequest, StubBodyReader) async throws -> StubResponse)
    }

    /// The method; nil matches any method.
    public var method: HTTPRequest.Method?
    /// The path.
    public var path: PathTemplate
    /// The conditions for query items, by name.
    public var query: [String: ValueMatcher] = [:]
    /// True if an unexpected query item is a mismatch. Default false.
    public var isQueryStrict = false
    /// The whole query, percent-encoded, with its items in any order; nil for no condition. Default nil.
    public var exactQuery: String?
    /// The conditions for header fields, by name.
    public var headers: [HTTPField.Name: ValueMatcher] = [:]
    /// The condition for the body; nil for no condition.
    public var body: BodyMatcher?
    /// The number of responses before the stub is used up; nil for no limit.
    public var times: Int?
    /// The number of responses that ``StubObserving/verify()`` requires; nil for ``times``, or for one if that is also
    /// nil.
    public var minimumTimes: Int?
    /// The priority: among matching stubs, the one with the highest priority responds. Default 0.
    public var priority = 0
    /// The stub's role in a scenario. Default nil.
    public var scenario: Scenario?
    /// The place where the stub was created, for explanations.
    public let source: StubSource
    package private(set) var answer: Answer

    private init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, answer: Answer, _ fileID: StaticString, _ line: UInt
    ) {
        self.method = method
        self.path = path
        self.answer = answer
        source = StubSource(fileID: fileID, line: line)
    }

    /// Creates a stub with a fixed response.
    public init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, _ response: StubResponse,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(method, path, answer: .fixed(response), fileID, line)
    }

    /// Creates a stub that computes its response from the request and its complete body. An error thrown by the closure
    /// becomes a status 500 on the server, and the call's error in the mock.
    public init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, fileID: StaticString = #fileID, line: UInt = #line,
        _ respond: @escaping @Sendable (StubRequest) async throws -> StubResponse
    ) {
        self.init(method, path, answer: .made(respond), fileID, line)
    }

    /// Returns a stub that reads the request's body as a stream, at its own pace.
    public static func streaming(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, fileID: StaticString = #fileID, line: UInt = #line,
        _ respond: @escaping @Sendable (StubRequest, StubBodyReader) async throws -> StubResponse
    ) -> Stub {
        Stub(method, path, answer: .streaming(respond), fileID, line)
    }

    /// Returns a copy with a condition for a query item.
    public func query(_ name: String, _ matcher: ValueMatcher) -> Stub {
        var copy = self
        copy.query[name] = matcher
        return copy
    }

    /// Returns a copy for which an unexpected query item is a mismatch.
    ///
    ///     let stub = Stub(.get, "/users", .json([String]())).query("page", .present).strictQuery()
    public func strictQuery() -> Stub {
        var copy = self
        copy.isQueryStrict = true
        return copy
    }

    /// Returns a copy that requires exactly this percent-encoded query, with its items in any order; "" requires no
    /// query.
    public func exactQuery(_ query: String) -> Stub {
        var copy = self
        copy.exactQuery = query
        return copy
    }

    /// Returns a copy with a condition for a header field; `.absent` requires that the field is missing.
    public func header(_ name: HTTPField.Name, _ matcher: ValueMatcher) -> Stub {
        var copy = self
        copy.headers[name] = matcher
        return copy
    }

    /// Returns a copy with a condition for the body.
    public func body(_ matcher: BodyMatcher) -> Stub {
        var copy = self
        copy.body = matcher
        return copy
    }

    /// Returns a copy whose responses are all changed before they are sent.
    func changingAnswers(_ change: @escaping @Sendable (StubRequest, StubResponse) -> StubResponse) -> Stub {
        var copy = self
        switch answer {
        case .fixed(let response): copy.answer = .made { change($0, response) }
        case .made(let make): copy.answer = .made { change($0, try await make($0)) }
        case .streaming(let make): copy.answer = .streaming { change($0, try await make($0, $1)) }
        }
        return copy
    }

    /// Returns a copy with another priority.
    public func priority(_ priority: Int) -> Stub {
        var copy = self
        copy.priority = priority
        return copy
    }
}

extension Stub: CustomStringConvertible, CustomReflectable {
    /// Method and path template.
    public var description: String { "\(method?.rawValue ?? "any method") \(path)" }

    /// The value as shown by `dump`: the conditions by name, without their values, which may be secret.
    public var customMirror: Mirror {
        let headers = headers.keys.map(\.rawName).sorted()
        return Mirror(
            self,
            children: [
                "stub": description, "query": query.keys.sorted(), "fields": headers, "source": source.description,
            ])
    }
}
