public import HTTPTypes

/// One answer to one kind of request: the same value serves ``MockTransport`` and the loopback test server.
///
/// A stub matches by method, path template and whatever else you ask of query, fields and body. Of all that match, the
/// one with the highest ``priority`` answers; among equals the first in the list that is not used up.
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
    /// How a stub makes its answer.
    package enum Answer: Sendable {
        case fixed(StubResponse)
        case made(@Sendable (StubRequest) async throws -> StubResponse)
        case streaming(@Sendable (StubRequest, StubBodyReader) async throws -> StubResponse)
    }

    /// The method; nil matches every method.
    public var method: HTTPRequest.Method?
    /// The path.
    public var path: PathTemplate
    /// What is asked of query items, by name.
    public var query: [String: ValueMatcher] = [:]
    /// Whether a query item that is not asked for is a mismatch. Default false.
    public var isQueryStrict = false
    /// The whole query, percent-encoded, its items in any order; nil asks nothing. Default nil.
    public var exactQuery: String?
    /// What is asked of fields, by name.
    public var headers: [HTTPField.Name: ValueMatcher] = [:]
    /// What is asked of the body; nil asks nothing.
    public var body: BodyMatcher?
    /// How often the stub answers before it is used up; nil for ever.
    public var times: Int?
    /// How often it must answer for ``StubObserving/verify()``; nil for ``times``, or once where that is nil too.
    public var minimumTimes: Int?
    /// Among matching stubs the highest answers. Default 0.
    public var priority = 0
    /// Its part in a scenario. Default none.
    public var scenario: Scenario?
    /// Where it was made: what an explanation points to.
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

    /// A stub with a fixed answer.
    public init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, _ response: StubResponse,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(method, path, answer: .fixed(response), fileID, line)
    }

    /// A stub that makes its answer from the request, whose body has arrived. An error it throws becomes a status 500 on
    /// the server, and the call's error in the mock.
    public init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, fileID: StaticString = #fileID, line: UInt = #line,
        _ respond: @escaping @Sendable (StubRequest) async throws -> StubResponse
    ) {
        self.init(method, path, answer: .made(respond), fileID, line)
    }

    /// A stub that reads the request's body as a stream, at its own pace.
    public static func streaming(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, fileID: StaticString = #fileID, line: UInt = #line,
        _ respond: @escaping @Sendable (StubRequest, StubBodyReader) async throws -> StubResponse
    ) -> Stub {
        Stub(method, path, answer: .streaming(respond), fileID, line)
    }

    /// The same, asking something of a query item.
    public func query(_ name: String, _ matcher: ValueMatcher) -> Stub {
        var copy = self
        copy.query[name] = matcher
        return copy
    }

    /// The same, taking a query item that is not asked for as a mismatch.
    ///
    ///     let stub = Stub(.get, "/users", .json([String]())).query("page", .present).strictQuery()
    public func strictQuery() -> Stub {
        var copy = self
        copy.isQueryStrict = true
        return copy
    }

    /// The same, asking for exactly this percent-encoded query, its items in any order; "" asks for none.
    public func exactQuery(_ query: String) -> Stub {
        var copy = self
        copy.exactQuery = query
        return copy
    }

    /// The same, asking something of a field; `.absent` asks that it is not there.
    public func header(_ name: HTTPField.Name, _ matcher: ValueMatcher) -> Stub {
        var copy = self
        copy.headers[name] = matcher
        return copy
    }

    /// The same, asking something of the body.
    public func body(_ matcher: BodyMatcher) -> Stub {
        var copy = self
        copy.body = matcher
        return copy
    }

    /// The same, with every answer changed before it goes out.
    func changingAnswers(_ change: @escaping @Sendable (StubRequest, StubResponse) -> StubResponse) -> Stub {
        var copy = self
        switch answer {
        case .fixed(let response): copy.answer = .made { change($0, response) }
        case .made(let make): copy.answer = .made { change($0, try await make($0)) }
        case .streaming(let make): copy.answer = .streaming { change($0, try await make($0, $1)) }
        }
        return copy
    }

    /// The same, with another priority.
    public func priority(_ priority: Int) -> Stub {
        var copy = self
        copy.priority = priority
        return copy
    }
}

extension Stub: CustomStringConvertible, CustomReflectable {
    /// Method and path template.
    public var description: String { "\(method?.rawValue ?? "any method") \(path)" }

    /// What `dump` shows: what is asked for by name, without the values, which may be secret.
    public var customMirror: Mirror {
        let headers = headers.keys.map(\.rawName).sorted()
        return Mirror(
            self,
            children: [
                "stub": description, "query": query.keys.sorted(), "fields": headers, "source": source.description,
            ])
    }
}
