#if Server
public import NetOpenAPI
internal import NetTesting
public import NetTestServer

/// A server on loopback that is made from an OpenAPI document.
///
/// It has a route for each operation, below the base path of each of the document's servers. A request that is what the
/// document says gets the operation's first response for a success: the document's own example where that is what its
/// schema says, else a value made from the schema. The same seed makes the same answers. Any other request gets problem
/// details (RFC 9457) that name each fault: 404 for a path, 405 for a method, 415 for a media type, else 400.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     let api = try await TestServer.start(openAPI: document)
///     api.server.add(Stub(.get, "/v1/pets", .status(.serviceUnavailable)).priority(1))
///     print(api.baseURL)
///     // … let any client, in any language, run against it …
///     try api.verify()
///     await api.stop()
///
/// A stub with a higher priority, as in the example, answers instead; the document is not asked then.
public final class OpenAPIServer: Sendable {
    /// How many requests that are not what the document says the report keeps.
    static let maximumFaults = 1000

    /// The server: its address, its log, and all else.
    public let server: TestServer
    private let answers: OpenAPIAnswers

    fileprivate init(_ server: TestServer, _ answers: OpenAPIAnswers) {
        self.server = server
        self.answers = answers
    }

    /// Where the document's paths begin: scheme, host, port and the base path of the document's first server.
    public var baseURL: BaseURL { BaseURL(unchecked: "\(server.baseURL)\(answers.validator.basePath)") }

    /// What the requests are checked with; the same for responses of your own.
    public var validator: OpenAPIValidator { answers.validator }

    /// What was seen so far.
    public var report: OpenAPIReport { answers.report }

    /// Throws when a request was not what the document says: the error names each and what is wrong with it.
    public func verify() throws(OpenAPINotKept) {
        let report = report
        if !report.passed { throw OpenAPINotKept(report: report) }
    }

    /// Forgets the requests that were seen.
    public func reset() { answers.reset() }

    /// Stops the server; the report stays.
    public func stop() async { await server.stop() }
}

extension TestServer {
    /// Starts a server that answers from an OpenAPI document.
    ///
    /// Throws the document's first error as a `Diagnostic`, and what ``start(_:webSockets:configuration:)`` throws.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - seed: What made values follow from. Default 0.
    ///   - refusesFaults: Whether a request that is not what the document says is refused. Else it is answered like any
    ///     other, where there is an operation for it; the report names it either way. Default true.
    ///   - configuration: How the server listens.
    public static func start(
        openAPI document: Document, seed: UInt64 = 0, refusesFaults: Bool = true,
        configuration: Configuration = Configuration()
    ) async throws -> OpenAPIServer {
        let answers = OpenAPIAnswers(try OpenAPIValidator(document), seed: seed, refusesFaults: refusesFaults)
        let stub = Stub(nil, "*") { request in answers.answer(request) }
        return OpenAPIServer(try await start([stub.optional()], configuration: configuration), answers)
    }
}
#endif
