#if Server
internal import HTTPTypes
public import NetCore
public import NetTesting

/// A server on loopback that holds its clients to a contract, and answers from it.
///
/// An expected request gets the contract's response; a failure is the matching ``Fault``, as far as an open connection
/// can have it. Any other request gets 400 where it is like an expected one, 404 where it is not, and a text that says
/// field by field what differs. Metadata never arrives here and is not asked.
///
///     let contract = try Contract(contentsOf: "Contracts/users.json")
///     let contracted = try await TestServer.start(contract: contract)
///     print(contracted.server.baseURL)
///     // … let any client, in any language, run against it …
///     try contracted.verifyComplete()
///     await contracted.stop()
public final class ContractServer: ContractChecking {
    /// The server: its address, its log, and all else.
    public let server: TestServer
    private let verifier: ContractVerifier

    fileprivate init(_ server: TestServer, _ verifier: ContractVerifier) {
        self.server = server
        self.verifier = verifier
    }

    public var report: ContractReport { verifier.report }

    public func reset() { verifier.reset() }

    /// Stops the server; the report stays.
    public func stop() async { await server.stop() }
}

extension TestServer {
    /// Starts a server that answers from a contract; throws what ``start(_:webSockets:configuration:)`` throws.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - latency: How long answers take, on the server's clock. Default no pause.
    ///   - redaction: What the report and the answers hide. Default ``RedactionPolicy/safeDefault``.
    ///   - configuration: How the server listens.
    public static func start(
        contract: Contract, latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault,
        configuration: Configuration = Configuration()
    ) async throws -> ContractServer {
        let verifier = ContractVerifier(contract, latency: latency, redaction: redaction)
        let stub = Stub(nil, "*") { request in verifier.answer(request, on: configuration.clock) }
        return ContractServer(try await start([stub], configuration: configuration), verifier)
    }

    /// Starts a server that answers from a recording: a contract with the name of the file and an expectation for each
    /// exchange, `exchange-1` and so on.
    ///
    /// Throws `.decoding` for a recording that cannot be read, and what ``start(_:webSockets:configuration:)`` throws.
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

    /// What stands for a failure that cannot happen on a connection that is open.
    private static func explained(
        _ failure: String, _ expectation: Contract.Expectation, _ status: HTTPResponse.Status
    ) -> StubResponse {
        .text("expectation \(expectation.id) is the failure: \(failure)\n", status: status)
    }
}
#endif
