#if Server
public import NetOpenAPI
internal import NetTesting
public import NetTestServer

/// A server on loopback that is generated from an OpenAPI document.
///
/// The server has a route for each operation, below the base path of each of the document's servers. A request that
/// conforms to the document gets the operation's first success response: the document's own example if its schema
/// accepts the example, otherwise a value generated from the schema. The same seed generates the same responses. Any
/// other request gets problem details (RFC 9457) that name each error, with status 404 for a path, 405 for a method,
/// 415 for a media type, and otherwise 400.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     let api = try await TestServer.start(openAPI: document)
///     api.server.add(Stub(.get, "/v1/pets", .status(.serviceUnavailable)).priority(1))
///     print(api.baseURL)
///     // … let any client, in any language, run against it …
///     try api.verify()
///     await api.stop()
///
/// A stub with a higher priority, as in the example, responds instead; such requests aren't checked against the
/// document.
public final class OpenAPIServer: Sendable {
    /// The maximum number of nonconforming requests that the report keeps.
    static let maximumFaults = 1000

    /// The underlying server, with its address and its log.
    public let server: TestServer
    private let answers: OpenAPIAnswers

    fileprivate init(_ server: TestServer, _ answers: OpenAPIAnswers) {
        self.server = server
        self.answers = answers
    }

    /// The base URL of the document's paths: scheme, host, port and the base path of the document's first server.
    public var baseURL: BaseURL { BaseURL(unchecked: "\(server.baseURL)\(answers.validator.basePath)") }

    /// The validator for the requests; also usable for your own responses.
    public var validator: OpenAPIValidator { answers.validator }

    /// The requests received so far, and their errors.
    public var report: OpenAPIReport { answers.report }

    /// Throws if a request didn't conform to the document; the error names each such request and its errors.
    public func verify() throws(OpenAPINotKept) {
        let report = report
        if !report.passed { throw OpenAPINotKept(report: report) }
    }

    /// Forgets the requests received so far.
    public func reset() { answers.reset() }

    /// Stops the server; the report remains available.
    public func stop() async { await server.stop() }
}

extension TestServer {
    /// Starts a server that responds according to an OpenAPI document.
    ///
    /// Throws the document's first error as a `Diagnostic`, and any error that `start(_:webSockets:configuration:)`
    /// throws.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - seed: The seed of generated values. Default 0.
    ///   - refusesFaults: True to reject a request that doesn't conform to the document. If false, such a request gets
    ///     the operation's normal response, if there is an operation for it. The report lists it either way. Default
    ///     true.
    ///   - configuration: The configuration of the server.
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
