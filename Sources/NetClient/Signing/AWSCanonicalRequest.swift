internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// The form of a request that both sides of an AWS signature hash.
struct AWSCanonicalRequest {
    /// The names of the covered headers, joined by `;`.
    let signedHeaders: String
    let text: String

    /// SHA-256 of an empty body.
    static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// The headers that may be added or changed in transit.
    private static let excluded: Set<String> = [
        "authorization", "baggage", "connection", "expect", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
    ]

    /// - Parameter headers: The headers to cover in addition to the host; nil covers all that aren't changed in
    ///   transit.
    init(_ request: PreparedRequest, _ settings: AWSSignature, headers: Set<HTTPField.Name>?, payloadHash: String) {
        let head = request.head
        let target = head.path ?? "/"
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        var lines: [(name: String, value: String)] = []
        for name in Set(head.headerFields.map(\.name)).sorted(by: { $0.canonicalName < $1.canonicalName }) {
            let isCovered = headers.map { $0.contains(name) } ?? !Self.excluded.contains(name.canonicalName)
            guard isCovered, name.canonicalName != "host" else { continue }
            let values = head.headerFields[values: name].map(Self.trimmed)
            lines.append((name.canonicalName, values.joined(separator: ",")))
        }
        // Without the scheme and a default port, as it is sent.
        lines.append(("host", String(request.origin.dropFirst((head.scheme ?? "http").count + 3))))
        lines.sort { $0.name < $1.name }
        signedHeaders = lines.map(\.name).joined(separator: ";")
        text = [
            head.method.rawValue, Self.path(target[..<mark], settings), Self.query(target[mark...].dropFirst()),
            lines.map { "\($0.name):\($0.value)\n" }.joined(), signedHeaders, payloadHash,
        ].joined(separator: "\n")
    }

    /// Returns the hexadecimal signature. Throws `.unsupported` if the system forbids SHA-256.
    func signature(
        _ credentials: AWSCredentials, _ time: AWSSigningTime, _ settings: AWSSignature
    ) throws(NetError) -> String {
        guard let hash = RunningHash.digest(of: Bytes(text.utf8), .sha256) else { throw Self.noHash }
        let parts = [String(time.day), settings.region, settings.service, "aws4_request"]
        var key = Bytes("AWS4\(credentials.secretAccessKey)".utf8)
        let toSign = "AWS4-HMAC-SHA256\n\(time.text)\n\(settings.scope(time))\n\(hash.hexadecimal)"
        for part in parts + [toSign] {
            guard let next = RunningHash.authentication(of: Bytes(part.utf8), key: key) else { throw Self.noHash }
            key = next
        }
        return key.hexadecimal
    }

    private static var noHash: NetError {
        NetError(.unsupported, phase: .preparing, message: "the system forbids SHA-256")
    }

    private static func path(_ path: Substring, _ settings: AWSSignature) -> String {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
        if settings.normalizesPath {
            let endsInSlash = segments.last?.isEmpty ?? true
            var kept: [String] = []
            for segment in segments where !segment.isEmpty && segment != "." {
                if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
            }
            segments = kept + (endsInSlash || kept.isEmpty ? [""] : [])
        }
        return "/"
            + segments.map { segment in
                PercentEncoding.encode(settings.encodesPathTwice ? segment : PercentEncoding.decode(segment))
            }.joined(separator: "/")
    }

    private static func query(_ query: Substring) -> String {
        let items = query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
            return (
                name: PercentEncoding.encode(PercentEncoding.decode(parts[0])), value: PercentEncoding.encode(value)
            )
        }
        return items.sorted { $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Returns a value without surrounding blanks, and with a single space for each run of blanks.
    private static func trimmed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" }.joined(separator: " ")
    }
}
