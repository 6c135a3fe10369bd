import Foundation
import HTTPTypes
import NetCore
import NetTesting

@testable import NetStore

/// One call: its request, its response, and the entry of a store that describes it.
struct RecordedCall: Sendable {
    let number: Int
    let method: String
    let host: String
    let path: String
    let requestHeaders: [(String, String)]
    let requestBody: String?
    /// Nil for a call that fails before a response.
    let status: Int?
    let responseHeaders: [(String, String)]
    let responseBody: String
    /// The number of bytes after which the response breaks off; nil for a complete one.
    let brokenAfter: Int64?

    /// Creates the call with this number; the same for the same random numbers.
    init(_ number: Int, _ numbers: inout SeededNumbers) {
        self.number = number
        method = numbers.one(of: ["GET", "GET", "POST", "PUT", "DELETE"])
        host = numbers.one(of: ["api.example.com", "cdn.example.org", "localhost:8080", "Images.Example.net"])
        path = numbers.one(of: ["/users/7", "/Users?page=2&limit=10", "/images/logo.png", "/search?q=a%20b", "/"])
        let hasBody = method == "POST" || method == "PUT"
        // HAR contains a body as text, which mitmproxy encodes in Latin-1 unless the type specifies UTF-8.
        func type(of body: String?) -> String {
            let types = ["application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8", "image/png"]
            return numbers.one(of: (body ?? "").utf8.allSatisfy { $0 < 0x80 } ? types : types.dropLast())
        }
        let words = ["{\"name\":\"hello\"}", "hello world", "größe 7", "good bye", "timeout"]
        requestBody = hasBody ? numbers.one(of: words) : nil
        requestHeaders =
            [("accept", numbers.one(of: ["application/json", "text/plain", "image/png"])), ("x-client", "swift")]
            + (hasBody ? [("content-type", type(of: requestBody))] : [])
        status = numbers.once(in: 8) ? nil : numbers.one(of: [200, 200, 200, 201, 204, 301, 404, 429, 500, 503])
        responseBody = status == 204 ? "" : numbers.one(of: words)
        responseHeaders =
            [("server", numbers.one(of: ["nginx", "envoy"]))]
            + (status == 204 ? [] : [("content-type", type(of: responseBody))])
            + (numbers.once(in: 3) ? [("x-trace", "abc-\(number)")] : [])
        brokenAfter = status == 200 && numbers.once(in: 4) ? 4 : nil
    }

    func send(over transport: some HTTPTransport) async {
        var fields = HTTPFields()
        for (name, value) in requestHeaders + [("x-number", "\(number)")] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get, scheme: "https", authority: host, path: path,
            headerFields: fields)
        let request = PreparedRequest(head: head, body: requestBody.map { .bytes(Bytes($0.utf8)) } ?? .none)
        // The recording notes how the call ends.
        let context = CallContext(for: request, delivery: .streamed)
        guard let response = try? await transport.execute(request, context: context) else { return }
        _ = try? await response.bytes()
    }

    func respond() throws -> StubResponse {
        guard let status else {
            throw NetError(.timeout, phase: .waiting, message: "no response within 30 seconds")
        }
        var fields = HTTPFields()
        for (name, value) in responseHeaders {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let response = StubResponse(
            status: HTTPResponse.Status(code: status), headers: fields, body: .text(responseBody))
        return brokenAfter.map { response.dropping(.afterBodyBytes($0)) } ?? response
    }

    /// The entry of a store for this call.
    var item: StoredItem {
        var item = StoredItem(
            id: Int64(number), uid: CallID(high: UInt64(number), low: 1), kind: .call,
            startedAt: Date(timeIntervalSince1970: 1_795_000_000))
        item.outcome = status == nil || brokenAfter != nil ? .failed : (status ?? 0) >= 400 ? .rejected : .completed
        if item.outcome == .failed {
            item.failure = StoredFailure(code: "timeout", phase: "waiting", message: "no response within 30 seconds")
        }
        item.status = status
        item.method = method
        item.host = host.lowercased()
        item.url = "https://\(host)\(path)"
        item.requestType = Self.mediaType(requestHeaders)
        item.responseType = status == nil ? nil : Self.mediaType(responseHeaders)
        return item
    }

    var content: SampleContent {
        func block(_ headers: [(String, String)]) -> String {
            headers.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
        }
        let received = Array(responseBody.utf8.prefix(brokenAfter.map(Int.init) ?? .max))
        return SampleContent(captures: [
            SampleContent.Capture(
                requestHeaders: block(requestHeaders), requestBody: requestBody.map { Array($0.utf8) },
                responseHeaders: status == nil ? nil : block(responseHeaders),
                responseBody: status == nil ? nil : received)
        ])
    }

    private static func mediaType(_ headers: [(String, String)]) -> String? {
        headers.first { $0.0 == "content-type" }.map { String($0.1.prefix { $0 != ";" }) }
    }
}
