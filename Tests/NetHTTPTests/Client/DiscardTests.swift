#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Responses that aren't read.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DiscardTests {
    /// In a separate process, where no other code allocates memory.
    @Test(arguments: [Wire.plain, .http2]) func aHundredMegabytesAreDroppedAsTheyCome(wire: Wire) async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [name = wire.rawValue as String] in
            let wire = try #require(Wire(rawValue: name))
            do {
                let grown = try await DiscardTests().growth(over: wire)
                if grown > 40_000_000 { ThisProcess.fail("\(grown) bytes more") }
            } catch {
                ThisProcess.fail("\(error)")
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    /// Returns the growth of peak memory caused by a large response.
    private func growth(over wire: Wire) async throws -> Int {
        try await Fixture.run([.pattern()], over: wire) { fixture in
            for _ in 0..<3 {
                try await fixture.client.send(Request<Void>("bytes", query: [QueryItem("bytes", 60_000)]))
            }
            let before = ThisProcess.peakResidentBytes
            try await fixture.client.send(Request<Void>("bytes", query: [QueryItem("bytes", 100_000_000)]))
            return ThisProcess.peakResidentBytes - before
        }
    }

    @Test(arguments: Wire.allCases) func discardedBodiesAreCountedAndKeepTheirConnection(wire: Wire) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([.pattern()], over: wire, with: setup) { fixture in
            var request = Request<Void>("bytes", query: [QueryItem("bytes", 1_000_000)])
            request.options.maximumResponseBytes = 1000
            let response = try await fixture.client.response(request)
            #expect(response.metrics?.responseBytes == 1_000_000)
            guard case .ended(.completed(200, let bytes))? = log.all.last?.kind else {
                Issue.record("the call ended otherwise: \(log.names)")
                return
            }
            #expect(bytes == 1_000_000)
            try await fixture.client.send(request)
            #expect(fixture.server.statistics.connections == 1)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aBodyThatBreaksOffIsStillAnError() async throws {
        let body = StubResponse.bytes(BytePattern.bytes(from: 0, count: 500_000))
        try await Fixture.run([Stub(.get, "/cut", body.dropping(.afterBodyBytes(200_000)))]) { fixture in
            let error = try await failure { try await fixture.client.send(Request<Void>("cut")) }
            #expect(error.code == .connectionLost || error.code == .protocolViolation)
        }
    }

    @Test func strictEmptinessRefusesAByteAndTakesNone() async throws {
        let stubs = [Stub(.get, "/none", .status(.noContent)), Stub(.get, "/some", .text("abc"))]
        try await Fixture.run(stubs) { fixture in
            let none = try await fixture.client.response(Request("none", serializer: ResponseSerializer<Void>.empty))
            #expect(none.head.status == .noContent)
            let error = try await failure {
                try await fixture.client.send(Request("some", serializer: ResponseSerializer<Void>.empty))
            }
            #expect(error.code == .decoding)
            #expect(error.message.contains("3 bytes"))
            try await fixture.client.send(Request<Void>("some"))
            try await fixture.client.send(Request<Void>("none"))
        }
    }

    @Test func theValueMayBeChanged() async throws {
        try await Fixture.run([.pattern()]) { fixture in
            let serializer = ResponseSerializer<Void>.discard.map { _ in "done" }
            let request = Request("bytes", query: [QueryItem("bytes", 1_000_000)], serializer: serializer)
            let value = try await fixture.client.send(request)
            #expect(value == "done")
        }
    }
}
#endif
