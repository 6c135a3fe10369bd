#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting

extension HARSession {
    /// "hello, hello, hello, hello" in gzip (RFC 1952).
    static let compressed = Bytes(
        Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJ11HIwKQAVaOCdxoAAAA=") ?? Data())

    /// The routes used by the calls.
    static let stubs: [Stub] = [
        Stub(.get, "/get", .text("plain <text> & \"quotes\"\n")),
        Stub(.head, "/get", StubResponse(headers: [.contentType: "text/plain", .contentLength: "24"])),
        Stub(.post, "/json", .json(text: #"{"answer":"ü","list":"[1]"}"#, status: .created)),
        Stub(.post, "/form", .text("form done")), Stub(.post, "/upload", .text("upload done")),
        Stub(.put, "/binary") { .bytes($0.body) },
        Stub(.post, "/binary") { .bytes($0.body) },
        Stub(
            .get, "/latin1",
            .bytes([0x63, 0x61, 0x66, 0xe9], contentType: "text/plain; charset=iso-8859-1")),
        Stub(.get, "/events", .chunks(["data: 1\n\n", "data: 2\n\n"], contentType: "text/event-stream")),
        Stub(.get, "/empty", .status(.noContent)),
        Stub(.get, "/redirect", StubResponse(status: .found, headers: [.location: "/get?from=redirect"])),
        Stub(.get, "/cookies") { _ in
            var response = StubResponse.text("biscuits")
            response.headers.append(HTTPField(name: .setCookie, value: "a=1; Path=/; HttpOnly"))
            response.headers.append(HTTPField(name: .setCookie, value: "b=2; Max-Age=60"))
            return response
        },
        Stub(.get, "/repeated") { _ in
            var response = StubResponse.text("twice")
            for value in ["one", "two"] {
                response.headers.append(HTTPField(name: .init("X-Many") ?? .accept, value: value))
            }
            return response
        },
        Stub(
            .get, "/compressed",
            StubResponse(
                headers: [.contentType: "text/plain", .contentEncoding: "gzip"], body: .bytes(compressed))),
    ]
}

/// A call that curl makes through mitmproxy, and the replay of the same call with its expected response.
struct MitmproxyCall {
    let name: String
    /// The arguments of curl.
    let arguments: [String]
    let request: PreparedRequest
    let answer: HARSession.Answer

    static func all(base: String) -> [MitmproxyCall] {
        func call(
            _ name: String, _ request: PreparedRequest, _ arguments: [String] = [], status: Int = 200,
            _ body: String = ""
        ) -> MitmproxyCall {
            MitmproxyCall(
                name: name, arguments: arguments + [request.url], request: request,
                answer: .init(status: status, body: Bytes(body.utf8)))
        }
        let json = HARSession.make(.post, base, "/json?page=2&tag=a%20b", "application/json", Bytes(#"{"q":"é"}"#.utf8))
        let form = HARSession.make(.post, base, "/form", "application/x-www-form-urlencoded", Bytes("a=1&b=x+y".utf8))
        return [
            call("get", HARSession.make(.get, base, "/get"), [], "plain <text> & \"quotes\"\n"),
            call(
                "json", json, ["-H", "Content-Type: application/json", "--data-binary", #"{"q":"é"}"#], status: 201,
                #"{"answer":"ü","list":"[1]"}"#),
            call("form", form, ["--data-binary", "a=1&b=x+y"], "form done"),
            call("events", HARSession.make(.get, base, "/events"), [], "data: 1\n\ndata: 2\n\n"),
            call("empty", HARSession.make(.get, base, "/empty"), status: 204),
            call("redirect", HARSession.make(.get, base, "/redirect"), status: 302),
            call("compressed", HARSession.make(.get, base, "/compressed"), [], "hello, hello, hello, hello"),
            call("head", HARSession.make(.head, base, "/get"), ["-I"]),
            MitmproxyCall(
                name: "cookies", arguments: [base + "/cookies"], request: HARSession.make(.get, base, "/cookies"),
                answer: .init(
                    status: 200, cookies: ["a=1; Path=/; HttpOnly", "b=2; Max-Age=60"], body: Bytes("biscuits".utf8))),
            MitmproxyCall(
                name: "latin1", arguments: [base + "/latin1"], request: HARSession.make(.get, base, "/latin1"),
                answer: .init(status: 200, body: Bytes([0x63, 0x61, 0x66, 0xe9]))),
        ]
    }
}
#endif
