internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Generates a request that an expectation accepts, unless its rules exist only in code.
struct ExampleRequest {
    private static let boundary = "contract-boundary"

    let expectation: Contract.Expectation
    let wildcard: String

    func request(to baseURL: BaseURL) -> CapturedExchange.Request {
        var url = baseURL.description
        if url.hasSuffix("/") { url.removeLast() }
        url += path
        if !query.isEmpty { url += "?" + query }
        let (body, type) = content(expectation.body)
        var headers = HTTPFields()
        for (name, rule) in expectation.headers.sorted(by: { $0.key.canonicalName < $1.key.canonicalName }) {
            for value in values(rule) { headers.append(HTTPField(name: name, value: value)) }
        }
        if let type, headers[.contentType] == nil || type.hasPrefix("multipart/") { headers[.contentType] = type }
        return .init(
            method: expectation.method ?? .get, url: url, headers: headers,
            body: CapturedBody(body))
    }

    private var path: String {
        guard let template = expectation.path, template.description != "*" else { return "/" }
        let text = template.description
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard let open = segment.firstIndex(of: "{"), let close = segment.lastIndex(of: "}"), open < close else {
                return String(segment)
            }
            var name = segment[segment.index(after: open)..<close]
            let isRest = name.hasSuffix("*")
            if isRest { name = name.dropLast() }
            let value = expectation.example[String(name)] ?? String(name)
            let encoded =
                isRest
                ? value.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
                    .joined(separator: "/") : PercentEncoding.encode(value)
            return segment[..<open] + encoded + segment[segment.index(after: close)...]
        }
        let path = segments.joined(separator: "/")
        return path.hasPrefix("/") ? path : "/" + path
    }

    private var query: String { Self.encode(items(expectation.query)) }

    private func items(_ rules: [String: Contract.ValueRule]) -> [(String, String)] {
        rules.sorted { $0.key < $1.key }.flatMap { name, rule in values(rule).map { (name, $0) } }
    }

    private static func encode(_ items: [(String, String)]) -> String {
        items.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    private func values(_ rule: Contract.ValueRule) -> [String] {
        switch rule {
        case .absent: []
        case .present, .code: [wildcard]
        case .exact(let value), .contains(let value): [value]
        case .exactly(let values): values
        case .glob(let pattern): [Glob(pattern).example]
        case .regex(let text): [Pattern(text)?.example ?? wildcard]
        }
    }

    /// The body and its media type; the type is nil if the rule doesn't determine it.
    private func content(_ rule: Contract.BodyRule) -> (Bytes, type: String?) {
        switch rule {
        case .anything, .absent, .code: (Bytes(), nil)
        case .present: (Bytes(wildcard.utf8), nil)
        case .text(let text): (Bytes(text.utf8), nil)
        case .bytes(let bytes): (bytes, nil)
        case .json(let value): (value.sortedBytes, "application/json")
        case .paths: (Bytes("{}".utf8), "application/json")
        case .form(let rules): (Bytes(Self.encode(items(rules)).utf8), "application/x-www-form-urlencoded")
        case .multipart(let parts): (multipart(parts), "multipart/form-data; boundary=\(Self.boundary)")
        case .all(let rules): rules.map(content).first { !$0.0.isEmpty } ?? (Bytes(), nil)
        }
    }

    private func multipart(_ parts: [Contract.PartRule]) -> Bytes {
        var bytes: [UInt8] = []
        for part in parts {
            var head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\""
            if let name = part.filename.map(values)?.first { head += "; filename=\"\(name)\"" }
            if let type = part.contentType.map(values)?.first { head += "\r\nContent-Type: \(type)" }
            bytes += Array((head + "\r\n\r\n").utf8) + Array(content(part.body).0) + Array("\r\n".utf8)
        }
        return Bytes(bytes + Array("--\(Self.boundary)--\r\n".utf8))
    }
}
