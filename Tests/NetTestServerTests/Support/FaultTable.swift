#if Server
import Foundation
import NetCore
import NetHTTP
import NetTesting

@testable import NetTestServer

/// The place of a fault.
enum FaultLevel: String, CaseIterable, Sendable {
    case memory = "in memory"
    case plain = "HTTP/1.1"
    case secure = "HTTP/1.1 over TLS"
    case http2 = "HTTP/2 over TLS"

    var usesTLS: Bool { self == .secure || self == .http2 }
}

/// A fault, and the expected result of a client.
struct FaultRow: Sendable {
    let fault: Fault
    /// The correct outcomes.
    let right: Set<String>
    /// The outcomes of levels that differ.
    var exceptions: [FaultLevel: Set<String>] = [:]
    /// Levels at which the fault isn't possible.
    var missing: Set<FaultLevel> = []

    func right(at level: FaultLevel) -> Set<String> { exceptions[level] ?? right }

    static let body = 1000
    private static let whole = "200, \(body) bytes"
    private static let lost: Set = ["connectionLost"]
    /// Frames that violate the protocol: both outcomes are correct if the peer closes immediately.
    private static let broken: Set = ["protocolViolation", "connectionLost"]
    private static let framing: Set = ["invalidFraming"]

    static let all: [FaultRow] = connections + drops + responses

    private static var connections: [FaultRow] {
        let before = [
            FaultRow(fault: .unknownHost, right: ["dns"]), FaultRow(fault: .refused, right: ["connect"]),
        ]
        return before + Fault.TLS.allCases.map { FaultRow(fault: .tls($0), right: ["tls"], missing: [.plain]) }
    }

    private static var responses: [FaultRow] {
        [
            FaultRow(fault: .halfOpen, right: ["timeout"], exceptions: [.memory: [whole]]),
            FaultRow(
                fault: .contentLength(.tooLong), right: lost, exceptions: [.http2: ["protocolViolation"]]),
            // Bytes beyond the length belong to no response; HTTP/2 calls it malformed (RFC 9113 section 8.1.1).
            FaultRow(
                fault: .contentLength(.tooShort), right: ["200, \(body / 2) bytes"],
                exceptions: [.http2: ["protocolViolation"]]),
            FaultRow(
                fault: .contentLength(.doubled), right: framing, exceptions: [.http2: ["protocolViolation"]]),
            FaultRow(
                fault: .contentLength(.malformed), right: framing, exceptions: [.http2: ["protocolViolation"]]),
            FaultRow(fault: .badChunk, right: framing, missing: [.http2]),
            FaultRow(fault: .truncatedGzip, right: ["decoding"]),
            FaultRow(fault: .headerBomb(bytes: 1 << 20), right: ["headersTooLarge"]),
            FaultRow(fault: .endlessInformational, right: ["tooManyInterimResponses"]),
            FaultRow(fault: .endlessTrailers, right: ["headersTooLarge"]),
            FaultRow(fault: .slowDrip(every: .milliseconds(20)), right: ["timeout"]),
            FaultRow(fault: .redirectLoop, right: ["redirect"]),
        ]
    }

    private static var drops: [FaultRow] {
        let points: [ConnectionDrop.Point] = [.beforeHead, .insideHead, .afterHead, .afterBodyBytes(500)]
        var rows: [FaultRow] = []
        for form in [ConnectionDrop.Form.close, .reset, .resetStream, .stall] {
            // Resetting a stream inside a head breaks the connection, which is the row of the reset.
            for point in points where form != .resetStream || point != .insideHead {
                let fault = Fault.drop(ConnectionDrop(point, form: form))
                if form == .stall {
                    rows.append(FaultRow(fault: fault, right: ["timeout"]))
                } else {
                    rows.append(FaultRow(fault: fault, right: lost, exceptions: [.http2: broken]))
                }
            }
        }
        return rows
    }
}

/// Runs rows over real connections.
struct FaultLab: Sendable {
    let row: FaultRow
    let level: FaultLevel

    private static let response = StubResponse.bytes(BytePattern.bytes(from: 0, count: FaultRow.body))

    /// Returns the client's result, in a word or two.
    func outcome() async throws -> String {
        let stub = Stub(.get, "/", Self.response).faulting(row.fault)
        guard level != .memory else {
            let configuration = configuration("http://api.test")
            return await call(HTTPClient(configuration: configuration, transport: MockTransport([stub])))
        }
        switch row.fault {
        case .unknownHost:
            return await call(client(try BaseURL("\(level.usesTLS ? "https" : "http")://no-such-host.invalid")))
        case .refused:
            let closed = try ClosedPort()
            let url = "\(level.usesTLS ? "https" : "http")://127.0.0.1:\(closed.port)"
            let outcome = await call(client(try BaseURL(url)))
            return withExtendedLifetime(closed) { outcome }
        case .tls(let fault):
            return try await withServer([], TestServer.TLS(fault))
        default:
            return try await withServer([stub], TestServer.TLS())
        }
    }

    private func withServer(_ stubs: [Stub], _ tls: TestServer.TLS) async throws -> String {
        var configuration = TestServer.Configuration()
        if level.usesTLS { configuration.tls = tls }
        configuration.offersHTTP2 = level == .http2
        let server = try await TestServer.start(stubs, configuration: configuration)
        let outcome = await call(client(server.baseURL, pem: server.caCertificatePEM))
        await server.stop()
        return outcome
    }

    private func client(_ base: BaseURL, pem: String? = nil) -> HTTPClient {
        var settings = CurlTransport.Configuration()
        settings.proxy = .none
        if let pem { settings.tls.trust = .authorities(.text(pem)) }
        return HTTPClient(configuration: configuration(base), transport: CurlTransport(configuration: settings))
    }

    private func configuration(_ base: BaseURL) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(baseURL: base)
        // Short only where a timeout is expected: on a busy machine any response may be late.
        configuration.timeouts =
            row.right(at: level).contains("timeout")
            ? Timeouts(connect: .seconds(5), firstByte: .seconds(1), stall: .seconds(1), total: .milliseconds(2500))
            : Timeouts(connect: .seconds(30), firstByte: .seconds(30), stall: .seconds(30), total: .seconds(60))
        return configuration
    }

    /// Makes one call; after a half-open response, the next call on the same connection.
    private func call(_ client: HTTPClient) async -> String {
        var outcome = await attempt(client)
        if row.fault == .halfOpen, outcome.hasPrefix("200") { outcome = await attempt(client) }
        await client.shutdown()
        return outcome
    }

    private func attempt(_ client: HTTPClient) async -> String {
        do throws(APIError<Never>) {
            return "200, \(try await client.send(Request<Bytes>("", serializer: .bytes)).count) bytes"
        } catch {
            switch error {
            case .failed(let error): return error.code.rawValue
            default: return "\(error)"
            }
        }
    }
}
#endif
