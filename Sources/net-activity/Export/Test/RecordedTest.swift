#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A test that repeats a stored call against a cassette.
///
/// The cassette contains the call's redirects, its retries, and its end. An attempt that was followed by new
/// credentials is omitted, because a test has no credentials to renew.
struct RecordedTest {
    /// The maximum size of a request body in a source file.
    private static let mostBytes = 16 << 10

    /// The name of the function.
    let name: String
    /// The exchanges of the cassette.
    let exchanges: [CapturedExchange]
    private let call: ChosenCall
    private let attempts: [StoredAttempt]

    /// Throws for a WebSocket handshake, and for a body that is too large for a source file.
    init(_ call: ChosenCall, name: String) throws {
        self.call = call
        self.name = name
        var kept: [(attempt: StoredAttempt, exchange: CapturedExchange)] = []
        for (index, pair) in call.exchanges.enumerated() {
            let next = call.exchanges.indices.contains(index + 1) ? call.exchanges[index + 1].exchange : nil
            if Self.leads(pair, to: next) { kept.append(pair) }
        }
        exchanges = kept.map(\.exchange)
        attempts = kept.map(\.attempt)
        let id = call.item.shortID
        if exchanges.contains(where: { $0.isHandshake }) {
            throw Failure(
                code: .usage, description: "\(id) is the handshake of a WebSocket; `export cassette` takes it")
        }
        guard let request = exchanges.first?.request, request.body.keptCount <= Self.mostBytes else {
            throw Failure(
                code: .usage,
                description: "the body of \(id) is too large for a source file; `export cassette` takes it")
        }
    }

    private static func leads(
        _ pair: (attempt: StoredAttempt, exchange: CapturedExchange), to next: CapturedExchange?
    ) -> Bool {
        guard let next, pair.attempt.retryReason == nil else { return true }
        let status = pair.exchange.response?.status.code ?? 0
        return (300...399).contains(status) && pair.exchange.response?.headers[.location] != nil
            && next != pair.exchange
    }

    private var isRetried: Bool { attempts.dropLast().contains { $0.retryReason != nil } }

    /// The parts of the test that count: its request, responses and expectations, without its name, its times, and
    /// headers that differ from call to call. Calls with equal content need only one test.
    var content: [String] {
        client + request + ending
            + exchanges.flatMap { exchange in
                let response = exchange.response
                let failure = exchange.failure ?? response?.body.failure
                return [
                    exchange.request.method.rawValue, exchange.request.url, exchange.request.body.bytes.hexadecimal,
                    response.map { "\($0.status.code)" } ?? "", response?.body.bytes.hexadecimal ?? "",
                    failure?.code ?? "",
                ]
            }
    }

    /// Returns the function, indented as a member of a suite.
    func source(cassette: String) -> [String] {
        let item = call.item
        let took = item.duration.map { ", \($0.short)" } ?? ""
        let line = "\(item.startedAt.table) UTC, \(item.result.text)\(took): \(item.method ?? "") \(item.url ?? "")"
        var lines = ["/// \(SwiftText.comment(line))"]
        lines.append("@Test(.cassette(\(SwiftText.literal(cassette))), .offline)")
        lines.append("func \(name)() async throws {")
        lines += (client + request + ending).map { "    \($0)" }
        return lines + ["}"]
    }

    private var sending: String {
        let sending = "try await client.raw(request)"
        return isRetried ? "try await clock.run { \(sending) }" : sending
    }

    /// The client. It retries as the call did, with a clock that doesn't wait.
    private var client: [String] {
        let url = URLReference(exchanges.first?.request.url ?? "")
        let authority = url.authority.map {
            $0.suffix(from: $0.lastIndex(of: "@").map($0.index(after:)) ?? $0.startIndex)
        }
        let base = SwiftText.literal("\(url.scheme ?? "https")://\(authority ?? "")")
        guard isRetried else { return ["let client = HTTPClient(baseURL: \(base), transport: CassetteTransport())"] }
        return [
            "let clock = TestClock()",
            "let client = HTTPClient(baseURL: \(base), transport: CassetteTransport()) {",
            "    $0.clock = clock.netClock",
            "    let policy = RetryPolicy(maximumAttempts: \(max(3, exchanges.count)), eligibility: .always)",
            "    $0.middleware = [RetryMiddleware(policy)]",
            "}",
        ]
    }

    private var request: [String] {
        guard let request = exchanges.first?.request else { return [] }
        let url = URLReference(request.url)
        var lines: [String] = []
        let path = String(url.path.drop { $0 == "/" })
        var route = SwiftText.literal(path)
        if path.utf8.contains(UInt8(ascii: "%")) {
            lines += ["var path = Path()", "path.append(escaped: \(route))"]
            route = "path"
        }
        var arguments = [route]
        if request.method != .get { arguments.append("method: \(Self.method(request.method))") }
        if let query = url.query, !query.isEmpty { arguments.append("query: \(Self.query(query))") }
        let headers = Self.headers(request.headers)
        if !headers.isEmpty { arguments.append("headers: [\(headers.joined(separator: ", "))]") }
        if !request.body.isAbsent { arguments.append("body: \(Self.body(request))") }
        let type = "let request = Request<Data>("
        let whole = type + arguments.joined(separator: ", ") + ")"
        if whole.count <= 112 { return lines + [whole] }
        return lines + [type]
            + arguments.enumerated().map { index, argument in
                "    \(argument)\(index == arguments.count - 1 ? ")" : ",")"
            }
    }

    /// The lines that compare the result with that of the stored call.
    private var ending: [String] {
        switch exchanges.last?.outcome {
        case .failure(let failure): return Self.thrown(failure.code, sending)
        case .response(let response):
            if let failure = response.body.failure { return Self.thrown(failure.code, sending) }
            return ["let response = \(sending)", "#expect(response.head.status.code == \(response.status.code))"]
                + RecordedBody(response).expectations
        case nil: return []
        }
    }

    private static func thrown(_ code: String, _ sending: String) -> [String] {
        [
            "let error = await #expect(throws: NetError.self) { \(sending) }",
            "#expect(error?.code.rawValue == \(SwiftText.literal(code)))",
        ]
    }

    private static func method(_ method: HTTPRequest.Method) -> String {
        let known = ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
        if known.contains(method.rawValue) { return ".\(method.rawValue.lowercased())" }
        return "try #require(HTTPRequest.Method(\(SwiftText.literal(method.rawValue))))"
    }

    /// Returns the query items as a literal that encodes to the same query.
    private static func query(_ query: String) -> String {
        let items = query.split(separator: "&").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts[0], plusIsSpace: true)
            guard parts.count == 2 else { return QueryItem.flag(name) }
            let item = QueryItem(name, PercentEncoding.decode(parts[1], plusIsSpace: true) as String?)
            // In a list, only some of the commas are data.
            return QueryItems([item]).encodedQuery == text ? item : QueryItem(name, String(parts[1]), isEncoded: true)
        }
        let isPlain = items.allSatisfy { $0.value != nil && !$0.isEncoded }
        let texts = items.map { item in
            let name = SwiftText.literal(item.name)
            guard let value = item.value.map({ SwiftText.literal($0) }) else { return ".flag(\(name))" }
            if isPlain { return "\(name): \(value)" }
            return "QueryItem(\(name), \(value)\(item.isEncoded ? ", isEncoded: true" : ""))"
        }
        return "[\(texts.joined(separator: ", "))]"
    }

    /// Returns the headers that the caller set: not those set by a client, its transport or its middleware, and no
    /// secrets.
    private static func headers(_ headers: HTTPFields) -> [String] {
        let ours: Set<String> = [
            "host", "user-agent", "accept-encoding", "content-length", "content-type", "connection", "authorization",
            "proxy-authorization", "cookie", "traceparent", "tracestate", "baggage", "idempotency-key", "date",
            "if-none-match", "if-modified-since", "content-digest", "repr-digest", "signature", "signature-input",
        ]
        return headers.filter { field in
            !ours.contains(field.name.canonicalName) && !field.value.contains(RedactionPolicy.safeDefault.placeholder)
        }.compactMap { field in
            // A literal can contain only names that swift-http-types defines.
            guard field.name.canonicalName == "accept" else { return nil }
            return ".accept: \(SwiftText.literal(field.value))"
        }
    }

    private static func body(_ request: CapturedExchange.Request) -> String {
        let type = request.headers[.contentType].map(SwiftText.literal) ?? "nil"
        let bytes = request.body.bytes
        if let text = String(validating: Array(bytes), as: UTF8.self) {
            return ".bytes(Data(\(SwiftText.literal(text)).utf8), contentType: \(type))"
        }
        let base64 = SwiftText.literal(bytes.data.base64EncodedString())
        return ".bytes(Data(base64Encoded: \(base64)) ?? Data(), contentType: \(type))"
    }
}
#endif
