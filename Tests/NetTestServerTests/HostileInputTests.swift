#if Server
import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(2)))
struct HostileInputTests {
    private func answer(_ server: TestServer, to bytes: [UInt8]) async throws -> String {
        let socket = try RawSocket(port: server.port)
        return try await offPool {
            socket.send(bytes)
            return try socket.receiveAll()
        }
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nBad Header: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    ])
    func malformedRequestsGet400AndClose(_ text: String) async throws {
        let server = try await TestServer.start([.echo()])
        let answer = try await answer(server, to: Array(text.utf8))
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
        #expect(server.statistics.refusals == 1)
        await server.stop()
    }

    @Test func aHeadAboveTheLimitGets431() async throws {
        let server = try await TestServer.start([.echo()])
        let one = "GET /echo HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 200_000) + "\r\n\r\n"
        let headers = (0..<3000).map { "X-\($0): \(String(repeating: "b", count: 50))\r\n" }
        let many = "GET /echo HTTP/1.1\r\n" + headers.joined() + "\r\n"
        let target = "GET /" + String(repeating: "c", count: 300_000) + " HTTP/1.1\r\n\r\n"
        for bomb in [one, many, target] {
            #expect(try await answer(server, to: Array(bomb.utf8)).hasPrefix("HTTP/1.1 431 "))
        }
        await server.stop()
    }

    @Test func aRequestThatComesByteByByteIsUnderstood() async throws {
        let server = try await TestServer.start([.mirror("/m")])
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            let head = "POST /m HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            for byte in Array((head + "3\r\nabc\r\n0\r\n\r\n").utf8) { socket.send([byte]) }
            return try socket.receive { $0.hasSuffix("0\r\n\r\n") }
        }
        let body = try #require(text.components(separatedBy: "\r\n\r\n").dropFirst().first)
        // The mirror echoes the bytes as they arrive, so the chunks may have any size: a line with the size, and one
        // with the bytes.
        let lines = body.components(separatedBy: "\r\n")
        let chunks = stride(from: 0, to: lines.count - 1, by: 2).map { (size: lines[$0], bytes: lines[$0 + 1]) }
        #expect(chunks.map(\.bytes).joined() == "abc")
        #expect(chunks.allSatisfy { Int($0.size, radix: 16) == $0.bytes.count })
        #expect(text.hasSuffix("\r\n0\r\n\r\n"))
        await server.stop()
    }

    @Test func halfARequestIsNoHarm() async throws {
        let server = try await TestServer.start([.echo()])
        let whole = Array("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello".utf8)
        for end in 0..<whole.count {
            let socket = try RawSocket(port: server.port)
            socket.send(whole[..<end])
        }
        try await server.wait { $1.connections >= whole.count && $1.openConnections == 0 && $1.runningRequests == 0 }
        #expect(try await Tool.curl(server.baseURL.description + "/echo").exitCode == 0)
        await server.stop()
    }

    @Test func mutatedRequestsNeverHarmTheServer() async throws {
        let server = try await TestServer.start([.echo(), .mirror(), .pattern(bytes: 1000)])
        let secure = try await TestServer.start([.echo()], configuration: .tls())
        let seeds = [
            "GET /bytes HTTP/1.1\r\nHost: x\r\n\r\nGET /echo?a=%20 HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n",
            "POST /mirror HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{1}\u{5}\u{0}\u{0}\u{0}\u{1}abc",
        ].map { Array($0.utf8) }
        var random = SeededRandom(seed: 42).netRandom
        for round in 0..<600 {
            var bytes = seeds[round % seeds.count]
            // The preface of HTTP/2 stays unchanged, otherwise the bytes after it would never be read.
            let first = round % 3 == 2 && round % 2 == 0 ? 24 : 0
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: first..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                }
                if bytes.count <= first + 1 { break }
            }
            let target = round % 10 == 9 ? secure : server
            let socket = try RawSocket(port: target.port)
            socket.send(bytes)
        }
        try await server.wait { $1.connections >= 540 && $1.openConnections == 0 && $1.runningRequests == 0 }
        try await secure.wait { $1.connections >= 60 && $1.openConnections == 0 }
        #expect(try await Tool.curl(server.baseURL.description + "/echo").exitCode == 0)
        await server.stop()
        await secure.stop()
    }
}
#endif
