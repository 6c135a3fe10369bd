#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct MultipartTests {
    private func withFile<Value>(_ data: Data, _ body: (String) async throws -> Value) async throws -> Value {
        let path = NSTemporaryDirectory() + "net-\(UUID().uuidString).png"
        try data.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    @Test(arguments: Wire.allCases) func aFileAndAFormArriveWithTheirExactLength(wire: Wire) async throws {
        let data = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
        try await withFile(data) { path in
            try await Fixture.run([.mirror("/file"), .mirror("/form")], over: wire) { fixture in
                let file = Request<Bytes>("file", method: .put, body: .file(path))
                #expect(try await fixture.client.send(file).data == data)
                let form = Request<Bytes>(
                    "form", method: .post, body: .multipart([.text("a", "b"), .file("photo", path: path)]))
                let prepared = try fixture.client.prepare(form)
                let echoed = try await fixture.client.send(form)
                #expect(prepared.bodyLength == Int64(echoed.count))
                let seen = fixture.server.requests.map { $0.headers[.contentLength] }
                #expect(wire == .http2 || seen == ["700000", "\(echoed.count)"])
            }
        }
    }
}
#endif
