#if Server
internal import HTTPTypes
public import NetCore
public import NetTesting

/// A server on loopback that checks its clients against a contract, and responds according to it.
///
/// An expected request gets the contract's response. An expected failure becomes the matching ``Fault``, if it is
/// possible on an open connection. Any other request gets status 400 if it resembles an expected one, otherwise 404,
/// and a text that lists the differences field by field. Metadata isn't transmitted, so it isn't checked.
///
///     let contract = try Contract(contentsOf: "Contracts/users.json")
///     let contracted = try await TestServer.start(contract: contract)
///     print(contracted.server.baseURL)
///     // … let any client, in any language, run against it …
///     try contracted.verifyComplete()
///     await contracted.stop()
public final class ContractServer: ContractChecking {
    /// The underlying server, with its address and its log.
    public let server: TestServer
    private let verifier: ContractVerifier

    fileprivate init(_ server: TestServer, _ verifier: ContractVerifier) {
        self.server = server
        self.verifier = verifier
    }

    public var report: ContractReport { verifier.report }

    public func reset() { verifier.reset() }

    /// Stops the server; the report remains available.
    public func stop() async { await server.stop() }
}

extension TestServer {
    /// Starts a server that responds according to a contract; throws the errors of
    /// ``start(_:webSockets:configuration:)``.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - latency: The delay of responses, on the server's clock. Default none.
    ///   - redaction: The policy that hides secrets in the report and in responses. Default
    ///     ``RedactionPolicy/safeDefault``.
    ///   - configuration: The configuration of the server.
    public static func start(
        contract: Contract, latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault,
        configuration: Configuration = Configuration()
    ) async throws -> ContractServer {
        let verifier = ContractVerifier(contract, latency: latency, redaction: redaction)
        let stub = Stub(nil, "*") { request in verifier.answer(request, on: configuration.clock) }
        return ContractServer(try await start([stub], configuration: configuration), verifier)
    }

    /// Starts a server that responds from a recording: a contract with the name of the file and an expectation for each
    /// exchange, `exchange-1` and so on.
    ///
    /// Throws `.decoding` for a recording that can't be read, and the errors of ``start(_:webSockets:configuration:)``.
    public static func start(
        cassette path: String, latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault,
        configuration: Configuration = Configuration()
    ) async throws -> ContractServer {
        let name = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? path
        let contract = try Contract(name, cassette: path, prefix: "exchange", redaction: redaction)
        return try await start(
            contract: contract, latency: latency, redaction: redaction, configuration: configuration)
    }
}

extension ContractVerifier {
    fileprivate func answer(_ request: StubRequest, on clock: NetClock) -> StubResponse {
        let expectation: Contract.Expectation
        do {
            expectation = try take(request, nil, on: clock)
        } catch {
            return .text("\(error)\n", status: error.kind == .mismatch ? .badRequest : .notFound)
        }
        do {
            let response = try expectation.outcome.stubResponse()
            if let fault = response.fault, fault.isOfConnection {
                return Self.explained("\(fault)", expectation, .badGateway)
            }
            return response.delayed(by: nextPause())
        } catch {
            switch error.code {
            case .invalidRequest: return Self.explained("\(error.code)", expectation, .badRequest)
            case .cancelled: return Self.explained("\(error.code)", expectation, .init(code: 499))
            default: return Self.explained("\(error.code)", expectation, .internalServerError)
            }
        }
    }

    /// The response that replaces a failure that can't happen on an open connection.
    private static func explained(
        _ failure: String, _ expectation: Contract.Expectation, _ status: HTTPResponse.Status
    ) -> StubResponse {
        .text("expectation \(expectation.id) is the failure: \(failure)\n", status: status)
    }
}
#endif
