#if Server
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import ClientTestSupport

/// The servers behave as described: a client that trusts everything gets the wrong file from them.
struct MisbehavingServerTests {
    @Test func thereAreFortyAndMoreOfDifferentNames() {
        let names = MisbehavingServer.allCases.map(\.testDescription)
        #expect(names.count >= 40, "\(names.count)")
        #expect(Set(names).count == names.count, "\(names.count)")
    }

    private static func server(_ name: String) throws -> MisbehavingServer {
        try #require(MisbehavingServer.allCases.first { $0.testDescription == name })
    }

    @Test(arguments: ["Range is ignored", "206 begins one byte late", "changed file, If-Range ignored"])
    func naiveClientsAssembleCorruptFiles(_ name: String) async throws {
        let server = try Self.server(name)
        try await Fixture.run(server.stubs()) { fixture in
            let first = try await fixture.client.stream(Request<Bytes>("file", serializer: .bytes))
            var bytes: [UInt8] = []
            do {
                for try await chunk in first.body { bytes += chunk }
                Issue.record("the first answer is whole")
            } catch {}
            #expect(bytes.count == Int(MisbehavingServer.cut))
            var request = Request<Bytes>("file", serializer: .bytes)
            request.headers[.range] = "bytes=\(bytes.count)-"
            request.headers[.ifRange] = first.head[.eTag]
            bytes += try await fixture.client.send(request)
            #expect(Bytes(bytes) != MisbehavingServer.file)
            #expect(Bytes(bytes) != MisbehavingServer.changed)
        }
    }

    @Test func anHonestOneGivesTheRest() async throws {
        let server = try Self.server("a strong ETag")
        try await Fixture.run(server.stubs()) { fixture in
            _ = await #expect(throws: APIError<Never>.self) {
                try await fixture.client.send(Request<Bytes>("file", serializer: .bytes))
            }
            var request = Request<Bytes>("file", serializer: .bytes)
            request.headers[.range] = "bytes=\(MisbehavingServer.cut)-"
            request.headers[.ifRange] = "\"1\""
            let rest = try await fixture.client.send(request)
            #expect(rest == MisbehavingServer.file[Int(MisbehavingServer.cut)..<MisbehavingServer.length])
            let requests = fixture.server.journal.requests
            #expect(server.objection(to: requests)?.hasPrefix("Accept-Encoding") == true)
        }
    }
}
#endif
