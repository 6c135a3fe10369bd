#if os(Linux)
@testable import ClientTestSupport
import Foundation
import NetHTTP
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Events on a connection while it is idle.
@Suite(.timeLimit(.minutes(1))) struct IdleConnectionTests {
    private func withPeer<Value>(
        _ serve: @escaping @Sendable (ScriptedPeer.Connection, Int) -> Void,
        body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let peer = try ScriptedPeer(serve)
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        defer { peer.stop() }
        let value = try await body(client)
        await client.shutdown()
        return value
    }

    /// For example a server's timeout, or a smuggled response (RFC 9112 section 9.2).
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison", "HTTP/1.1 408 Late\r\nConnection: close\r\n\r\n",
    ])
    func bytesThatNobodyAskedForAnswerNothing(late: String) async throws {
        let isLate = Locked(0)
        let connections = Locked(0)
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in
            connections.change { $0 += 1 }
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                usleep(20_000)
                connection.send(late)
            }
            // The client's loop has noticed it: it ends the connection.
            isLate.change { $0 += 1 }
        }
        try await withPeer(serve) { client in
            let request = Request<String>("x")
            for round in 1...3 {
                let response = try await round == 2 ? whole(of: request, client) : client.send(request)
                #expect(response == "ok")
                while isLate.value < round { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(connections.value == 3)
        }
    }

    private func whole(of request: Request<String>, _ client: HTTPClient) async throws -> String {
        let bytes = try await client.stream(request).body.collect(upTo: 100)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A reused connection may receive so much at a time that libcurl never has to wait for it, and is then paused.
    @Test(.enabled(if: NginxSite.program != nil)) func aBodyThatNeverWaitsIsNoIdleConnection() async throws {
        try await TemporaryFolder.with { folder in
            let count = 4 << 20
            try folder.write(String(repeating: "x", count: count), to: "large")
            try await NginxSite.with("root \(folder.url.path());") { site in
                let client = HTTPClient(baseURL: site.baseURL)
                for _ in 0..<150 {
                    var received = 0
                    for try await chunk in try await client.stream(Request<Bytes>("large")).body {
                        received += chunk.count
                    }
                    #expect(received == count)
                }
                await client.shutdown()
            }
        }
    }

    /// libcurl tries five of its pooled connections, and gives up.
    @Test func manyDeadConnectionsAreGotOver() async throws {
        let answered = Locked(0)
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, number in
            guard connection.readHead() != nil else { return }
            answered.change { $0 += 1 }
            while number < 10, answered.value < 10 { usleep(1000) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            // The first ten read the next request, and end.
            _ = connection.readHead()
        }
        try await withPeer(serve) { client in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { try await client.send(Request<String>("warm")) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(try await client.send(Request<String>("again")) == "ok")
        }
    }

    /// The first connection ends within the body, which must be sent on the next one from its beginning.
    @Test(arguments: [nil, 200_000] as [Int64?])
    func aStreamedBodyIsSentAgainWhereItCanBe(length: Int64?) async throws {
        let bodies = Locked<[Int]>([])
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, number in
            while let head = connection.readHead() {
                if head.hasPrefix("PUT") {
                    guard number > 0 else {
                        _ = connection.read(50_000)
                        return
                    }
                    let count = length == nil ? Self.chunked(connection) : connection.read(200_000).count
                    bodies.change { $0.append(count) }
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        try await withPeer(serve) { client in
            // Streamed calls have separate connections.
            let warm = try await whole(of: Request<String>("warm"), client)
            #expect(warm == "ok")
            let chunks = Chunks(count: 10, chunk: Bytes([UInt8](repeating: 7, count: 20_000)))
            let body = RequestBody.stream(chunks, length: length, isReplayable: true)
            let again = try await client.send(Request<String>("again", method: .put, body: body))
            #expect(again == "ok")
        }
        #expect(bodies.value == [200_000])
    }

    /// The moment at which a server resets a reused connection.
    enum ResetMoment: CaseIterable, Sendable {
        case idle, withinHead, afterHead, withinBody, late
    }

    /// Every kind of retryable request, and each moment, many times: it is a matter of chance which system call meets
    /// the reset.
    @Test(arguments: ResetMoment.allCases) func aResetBeforeAnythingCameIsGotOver(moment: ResetMoment) async throws {
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in
            guard let head = connection.readHead() else { return }
            let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            guard head.contains(" /warm ") else {
                // The request that was reset, on a separate connection.
                if head.contains("chunked") { _ = Self.chunked(connection) }
                if head.contains("200000") { _ = connection.read(200_000) }
                return connection.send(ok)
            }
            connection.send(ok)
            switch moment {
            case .idle: break
            case .withinHead: _ = connection.read(10)
            case .afterHead: _ = connection.readHead()
            case .withinBody:
                _ = connection.readHead()
                _ = connection.read(30_000)
            case .late:
                _ = connection.readHead()
                usleep(5000)
            }
            connection.reset()
        }
        try await withPeer(serve) { client in
            for round in 0..<60 {
                let warm = try await whole(of: Request<String>("warm"), client)
                #expect(warm == "ok")
                let chunks = Chunks(count: 10, chunk: Bytes([UInt8](repeating: 7, count: 20_000)))
                let body: RequestBody =
                    switch moment == .withinBody ? round % 3 : round % 4 {
                    case 0: .stream(chunks, length: 200_000, isReplayable: true)
                    case 1: .stream(chunks, isReplayable: true)
                    case 2: .bytes([UInt8](repeating: 7, count: 200_000))
                    default: .none
                    }
                let request = Request<Bytes>("again", method: .put, body: body, serializer: .bytes)
                let again = try await client.stream(request).body.collect(upTo: 9)
                #expect(again == Bytes("ok".utf8), "\(round)")
            }
        }
    }

    /// Returns the number of bytes in a chunked body.
    private static func chunked(_ connection: ScriptedPeer.Connection) -> Int {
        var total = 0
        while true {
            var line = ""
            while let byte = connection.read(1).first, byte != 10 { line.unicodeScalars.append(Unicode.Scalar(byte)) }
            guard let count = Int(line.dropLast(), radix: 16), connection.read(count + 2).count == count + 2, count > 0
            else { return total }
            total += count
        }
    }

    /// The same chunks for each consumer.
    private struct Chunks: AsyncSequence, Sendable {
        let count: Int
        let chunk: Bytes

        func makeAsyncIterator() -> AsyncStream<Bytes>.Iterator {
            let (count, chunk) = (count, chunk)
            return AsyncStream { stream in
                for _ in 0..<count { stream.yield(chunk) }
                stream.finish()
            }.makeAsyncIterator()
        }
    }

    /// libcurl drops the bytes it has read of a body that isn't allowed, and would take the rest for the next response.
    @Test(arguments: ["200 OK\r\nContent-Length: 2", "204 No Content", "304 Not Modified"])
    func aBodyThatCannotBeIsNoAnswer(status: String) async throws {
        let isAsked = Locked(false)
        let peer = try ScriptedPeer { connection, _ in
            while let request = connection.readHead() {
                guard request.contains("/empty") else {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    continue
                }
                isAsked.change { $0 = true }
                usleep(50_000)
                let head = Array("HTTP/1.1 \(status)\r\n\r\n".utf8)
                // As much as libcurl reads at a time, followed by bytes that look like a response.
                let body = [UInt8](repeating: 65, count: 65_536 - head.count)
                let poison = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison".utf8)
                connection.send(head + body + poison)
            }
        }
        let transport = CurlTransport()
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport)
        // On the loop's own thread, the next request follows immediately.
        let work = Task(executorPreference: transport.executor) {
            var empty = Request<Bytes>("empty", method: status.hasPrefix("200") ? .head : .get, serializer: .bytes)
            empty.options.validation = .any
            try await client.send(empty)
            return try await client.send(Request<String>("x"))
        }
        while !isAsked.value { try await Task.sleep(for: .milliseconds(1)) }
        // All bytes have arrived when the loop continues.
        await Task(executorPreference: transport.executor) { _ = usleep(200_000) }.value
        #expect(try await work.value == "ok")
        await client.shutdown()
        peer.stop()
    }

    /// While a consumer sleeps, its connection isn't polled. More of the request's body makes libcurl read
    /// nevertheless, here to the end.
    @Test func aConnectionIsListenedToAfterAReaderThatSlept() async throws {
        let length = 1 << 20 + 150_000
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            connection.send([UInt8](repeating: 65, count: length))
            // The body ends with an empty line, like a head.
            _ = connection.readHead()
            while connection.readHead() != nil {
                usleep(100_000)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let peer = try ScriptedPeer(serve)
        let transport = CurlTransport()
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport)
        let (chunks, body) = AsyncStream.makeStream(of: Bytes.self)
        body.yield(Bytes("begin".utf8))
        let first = try await client.stream(
            Request<Bytes>("x", method: .post, body: .stream(chunks), serializer: .bytes))
        // Full, then with room again, but not enough to continue.
        try await Task.sleep(for: .milliseconds(500))
        var iterator = first.body.makeAsyncIterator()
        for _ in 0..<2 { _ = try await iterator.next() }
        body.yield(Bytes("end".utf8))
        body.finish()
        while transport.statistics.liveTransfers > 0 { try await Task.sleep(for: .milliseconds(5)) }
        var second = Request<Bytes>("x", serializer: .bytes)
        second.options.timeouts = Timeouts(firstByte: .seconds(3))
        #expect(try await client.stream(second).body.collect(upTo: 10) == Bytes("ok".utf8))
        #expect(transport.statistics.openedConnections == 1)
        await client.shutdown()
        peer.stop()
    }
}
#endif
