#if Server && os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The real curl sends the same request as the client.
@Suite(.timeLimit(.minutes(2))) struct CurlCommandTests {
    /// Returns the request as seen by the server, with sorted headers.
    private func seen(_ request: LoggedRequest) -> [String] {
        [request.method.rawValue, request.target, request.authority, String(decoding: request.body, as: UTF8.self)]
            + request.headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }

    private static let binary = Bytes([0xff, 0x00, 0x0a, 0x27])

    @Test("The command of a request sends the same as the client", arguments: PreparedRequest.CurlStyle.allStyles)
    func theSame(style: PreparedRequest.CurlStyle) async throws {
        let note = HTTPField.Name("X-Note")
        var requests = [
            Request<String>("a%2Fb", query: [QueryItem("q", "it's {a} [1]"), QueryItem("token", "t")]),
            Request<String>("a", method: .head),
            Request<String>("a", method: .put, headers: [note: "it's \"$HOME\""], body: .text("'ü'\n`id` $(id) @x")),
            Request<String>("a", method: .post, body: .json(["password": "p'w", "b": "\\"])),
            Request<String>("a", method: .post, body: .form([QueryItem("a", "b c&")])),
            Request<String>("a", method: .patch, body: .bytes(Self.binary)),
            Request<String>("a", method: .delete, headers: [.userAgent: ""]),
            Request<String>("a", method: .post), Request<String>("a", method: .put),
            Request<String>("a", method: .patch), Request<String>("a", body: .bytes(Bytes())),
            Request<String>("a", method: .post, body: .text("")),
        ]
        try await Fixture.run([Stub(nil, "*", .text("ok")).optional()]) { fixture in
            requests += ["/a/../b//c", "/./%2e%2e/"].map {
                Request<String>(url: fixture.server.baseURL.description + $0)
            }
            for request in requests {
                let prepared = try fixture.client.prepare(request)
                _ = try await fixture.client.raw(prepared: prepared)
                let command = prepared.curl(style, redaction: .disabled)
                try await TemporaryFolder.with { folder in
                    try Data(Array(Self.binary)).write(to: folder.url.appending(path: "body.bin"))
                    let script = "cd '\(folder.url.path())' && \(command) -s -o out; echo status $?"
                    let child = try ChildProcess("/bin/sh", ["-c", script])
                    let lines = try await offPool { try child.lines { $0.hasPrefix("status") } }
                    child.wait()
                    #expect(lines.last == "status 0", "\(command)")
                }
            }
            let seen = fixture.server.requests.map(seen)
            try #require(seen.count == 2 * requests.count)
            for index in requests.indices { #expect(seen[2 * index] == seen[2 * index + 1]) }
        }
    }
}

extension PreparedRequest.CurlStyle {
    fileprivate static let allStyles: [Self] = [.multiline, .compact]
}
#endif
