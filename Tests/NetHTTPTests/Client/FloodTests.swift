#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

/// Servers that send endlessly.
@Suite(.timeLimit(.minutes(2))) struct FloodTests {
    enum Flood: CaseIterable, Sendable {
        case chunks, extensions, oneChunk, lines

        var head: String {
            switch self {
            case .chunks, .extensions: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            case .oneChunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n"
            case .lines: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            }
        }

        var piece: String {
            switch self {
            case .chunks: "1\r\nx\r\n"
            case .extensions: "1;a=b\r\nx\r\n"
            case .oneChunk: "xxxxxxxxxx"
            case .lines: ":\n\n"
            }
        }
    }

    private func withPeer(_ flood: Flood, _ body: (HTTPClient) async throws -> Void) async throws {
        let bytes = Array(String(repeating: flood.piece, count: 20_000).utf8)
        let peer = try ScriptedPeer { connection, _ in
            while let head = connection.readHead() {
                guard head.contains("flood") else {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    continue
                }
                connection.send(flood.head)
                while connection.send(bytes) {}
                return
            }
        }
        defer { peer.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
        try await body(client)
        await client.shutdown()
    }

    private func flooded(_ seconds: Int) -> Request<Bytes> {
        var request = Request<Bytes>("flood", serializer: .bytes)
        request.options.timeouts = .total(.seconds(seconds))
        request.options.maximumResponseBytes = .max
        return request
    }

    /// The timeout of the flooded call ends it before that of a silent one, which is twice as long, and meanwhile
    /// other calls get their responses.
    @Test(arguments: Flood.allCases, [false, true]) func aFloodHoldsNobodyUp(flood: Flood, isStreamed: Bool)
        async throws
    {
        let silent = try ScriptedPeer { connection, _ in connection.waitForClose() }
        defer { silent.stop() }
        try await withPeer(flood) { client in
            let isOver = Locked(false)
            let isLate = Locked(false)
            let silentURL = silent.baseURL
            let call = Task {
                defer { isOver.change { $0 = true } }
                guard isStreamed else { return try await failure { try await client.send(flooded(1)) } }
                return try await failure {
                    do {
                        for try await _ in try await client.stream(flooded(1)).body {}
                    } catch let error as NetError {
                        throw APIError<Never>.failed(error)
                    }
                }
            }
            let other = Task {
                let error = try await failure { try await client.with { $0.baseURL = silentURL }.send(flooded(2)) }
                isLate.change { $0 = !isOver.value }
                return error
            }
            var count = 0
            while !isOver.value {
                let text = try await client.send(Request<String>("x"))
                #expect(text == "ok")
                count += 1
            }
            let error = try await call.value
            #expect(error.isTimeout, "\(error)")
            #expect(error.message.contains("total"), "\(error)")
            #expect(try await other.value.isTimeout)
            #expect(!isLate.value, "\(count)")
            #expect(count >= 3, "\(count)")
        }
    }
}
#endif
