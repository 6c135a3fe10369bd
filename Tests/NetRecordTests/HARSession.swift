#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting

/// Real calls of every kind against servers on loopback, saved as HAR.
struct HARSession {
    /// The contents that other programs must find in the file.
    struct Call: Codable {
        var name: String
        var method: String
        var url: String
        /// 0 for a call without a response.
        var status: Int
    }

    /// The response as seen by the caller.
    struct Answer: Equatable, CustomStringConvertible {
        var status = 0
        var cookies: [String] = []
        var body = Bytes()
        /// The error code of a failure; empty for a response.
        var code = ""

        /// The response as recorded: values hidden by the policy are redacted.
        var redacted: Answer {
            var copy = self
            copy.cookies = cookies.map { _ in RedactionPolicy.safeDefault.placeholder }
            return copy
        }

        var description: String { "\(status) \(cookies) \(body.count) bytes \(code)" }
    }

    /// Every kind of call; the last ones use a server that has stopped, and one that supports HTTP/2.
    static let names = [
        "get", "json", "form", "multipart", "binary", "latin1", "events", "empty", "redirect", "cookies", "repeated",
        "compressed", "head", "refused", "http2",
    ]

    private(set) var calls: [Call] = []
    private(set) var answers: [Answer] = []
    private var bases: [String: String] = [:]

    func base(of call: Call) -> String { bases[call.name] ?? "" }

    static func record(to path: String) async throws -> HARSession {
        let plain = try await TestServer.start(stubs)
        let secure = try await TestServer.start(stubs, configuration: .tls())
        let gone = try await TestServer.start([])
        await gone.stop()
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        configuration.tls.trust = .authorities(.text(secure.caCertificatePEM ?? ""))
        let recording = RecordingTransport(CurlTransport(configuration: configuration))
        var session = HARSession()
        for name in names {
            let base = (name == "refused" ? gone : name == "http2" ? secure : plain).baseURL.description
            session.bases[name] = base
            let request = request(name, base, boundary: "the-boundary")
            let answer = await answer(request, over: recording)
            session.calls.append(
                Call(name: name, method: request.head.method.rawValue, url: request.url, status: answer.status))
            session.answers.append(answer)
        }
        try recording.write(to: path)
        await recording.shutdown()
        await plain.stop()
        await secure.stop()
        return session
    }

    static func request(_ name: String, _ base: String, boundary: String) -> PreparedRequest {
        let noise = Bytes((0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let part = "--\(boundary)\r\nContent-Disposition: form-data; name="
        let parts =
            part + "\"caption\"\r\n\r\nA cat\r\n" + part + "\"photo\"; filename=\"c.gif\"\r\n"
            + "Content-Type: image/gif\r\n\r\n"
        switch name {
        case "json": return make(.post, base, "/json?page=2&tag=a%20b", "application/json", Bytes(#"{"q":"é"}"#.utf8))
        case "form": return make(.post, base, "/form", "application/x-www-form-urlencoded", Bytes("a=1&b=x+y".utf8))
        case "multipart":
            let body = Array(parts.utf8) + [0x47, 0xff, 0x00] + Array("\r\n--\(boundary)--\r\n".utf8)
            return make(.post, base, "/upload", "multipart/form-data; boundary=\(boundary)", Bytes(body))
        case "binary": return make(.put, base, "/binary", "application/octet-stream", noise)
        case "head": return make(.head, base, "/get")
        case "cookies":
            var request = make(.get, base, "/cookies")
            request.head.headerFields[.cookie] = "sid=7; theme=dark"
            return request
        case "http2", "refused": return make(.get, base, "/get?over=\(name)")
        default: return make(.get, base, "/\(name)")
        }
    }

    static func make(
        _ method: HTTPRequest.Method, _ base: String, _ path: String, _ type: String? = nil, _ body: Bytes? = nil
    ) -> PreparedRequest {
        let parts = base.split(separator: "/", omittingEmptySubsequences: true)
        var head = HTTPRequest(
            method: method, scheme: String(parts[0].dropLast()), authority: String(parts[1]), path: path)
        head.headerFields[.contentType] = type
        return PreparedRequest(head: head, body: body.map { .bytes($0) } ?? .none)
    }

    static func answer(_ request: PreparedRequest, over transport: any HTTPTransport) async -> Answer {
        let context = CallContext(for: request, delivery: .streamed)
        do throws(NetError) {
            let response = try await transport.execute(request, context: context)
            return Answer(
                status: response.status.code, cookies: response.head.headers[values: .setCookie],
                body: try await response.body.collect(upTo: 1 << 20))
        } catch {
            return Answer(code: error.code.rawValue + (error.code == .invalidRequest ? ": \(error.message)" : ""))
        }
    }
}
#endif
