#if Tools
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// A cassette of vcrpy, Betamax or Ruby VCR, in YAML or JSON.
///
/// | member | vcrpy | Betamax, Ruby VCR |
/// |---|---|---|
/// | list | `interactions` | `http_interactions` |
/// | a body | text, `!!binary`, or `string`; for HTTPX also `content` | `string` or `base64_string`, with an `encoding` |
/// | a status | `code` and `message`; for HTTPX also `status_code` | `code` and `message` |
/// | the time | – | `recorded_at` |
struct ForeignCassette {
    private let reader: DocumentReader
    /// The redacted exchanges, in the order of the file.
    private(set) var exchanges: [CapturedExchange] = []
    /// The places of the bodies that lost bytes when they were recorded.
    private(set) var damaged: [String] = []

    /// The maximum size of a file.
    private static let maximumBytes = 512 << 20

    init(path: String) throws(RecordFileError) {
        reader = DocumentReader(file: path, advice: "correct it there, or record it again")
        let bytes: Bytes?
        do throws(NetError) {
            bytes = try PrivateFile.contents(of: path, upTo: Self.maximumBytes)
        } catch {
            throw RecordFileError(file: path, problem: error.message, advice: "name a cassette")
        }
        guard let bytes else {
            throw RecordFileError(file: path, problem: "there is no such file", advice: "correct the path")
        }
        let root = try Self.document(bytes, path)
        guard let list = root["interactions"] ?? root["http_interactions"] else {
            throw RecordFileError(
                file: path, problem: "it has neither interactions nor http_interactions",
                advice: "name a cassette of vcrpy, Betamax or Ruby VCR")
        }
        // Each exchange is redacted like a recording.
        for node in try reader.array(list) {
            var exchange = try exchange(node)
            if let size = Self.lostSize(exchange) {
                damaged.append("line \(node.position.line): \(exchange.request.method) \(exchange.request.url)")
                exchange.cutBody(size)
            }
            exchanges.append(RedactionPolicy.safeDefault.redact(exchange))
        }
    }

    private static func document(_ bytes: Bytes, _ path: String) throws(RecordFileError) -> JSONNode {
        let isJSON = bytes.prefix(100).first { ![0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf].contains($0) } == 0x7b
        guard isJSON else { return try YAMLTree.read(Array(bytes), file: path) }
        do throws(UnreadableJSON) {
            return try JSONDocument(bytes, replacesLoneSurrogates: true).node()
        } catch {
            throw RecordFileError(
                file: path, error, in: Array(bytes), advice: "correct it there, or record it again")
        }
    }

    /// Returns the size of a body whose bytes were replaced by U+FFFD, as Betamax does with those that aren't UTF-8; nil
    /// for any other body.
    private static func lostSize(_ exchange: CapturedExchange) -> Int64? {
        guard let response = exchange.response, let size = response.headers[.contentLength].flatMap({ Int64($0) }),
            size != Int64(response.body.keptCount), exchange.request.method != .head,
            String(decoding: response.body.bytes, as: UTF8.self).contains("\u{fffd}")
        else { return nil }
        return size
    }

    // MARK: Exchanges

    private func exchange(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange {
        CapturedExchange(
            recordedAt: node["recorded_at"]?.string.flatMap(Self.date) ?? Date(timeIntervalSince1970: 0),
            duration: .zero, request: try request(reader.member("request", of: node)),
            outcome: .response(try response(reader.member("response", of: node))))
    }

    /// Reads RFC 3339, with or without an offset, or the date format of HTTP.
    private static func date(_ text: String) -> Date? { HARDate.read(text)?.date ?? HTTPDate.date(from: text) }

    private func request(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Request {
        let method = try reader.member("method", of: node)
        guard let parsed = HTTPRequest.Method(try reader.string(method).uppercased()) else {
            throw reader.problem(method, "this isn't an HTTP method")
        }
        let url = try reader.string(reader.member("uri", of: node))
        let headers = try headers(node["headers"])
        return CapturedExchange.Request(
            method: parsed, url: url, headers: headers,
            body: CapturedBody(try body(node["body"])))
    }

    private func response(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Response {
        // HTTPX's older recordings have it without a message.
        let code: JSONNode
        if let member = node["status_code"] {
            code = member
        } else {
            code = try reader.member("code", of: reader.member("status", of: node))
        }
        guard let status = Int(exactly: try reader.number(code)), (100...999).contains(status) else {
            throw reader.problem(code, "expected a status of three digits")
        }
        var headers = try headers(node["headers"])
        let bytes = try body(node["body"] ?? node["content"])
        let decoded = try decoded(bytes, &headers, at: node)
        let reason = node["status"]?["message"]?.string ?? node["reason_phrase"]?.string ?? ""
        let version =
            node["http_version"]?.string ?? node["http_version"]?.number.map { String($0) } ?? node["protocol"]?.string
            ?? ""
        return CapturedExchange.Response(
            status: reason.isEmpty ? .init(code: status) : .init(code: status, reasonPhrase: reason),
            version: String(version.drop { !$0.isNumber }), headers: headers, body: CapturedBody(decoded))
    }

    /// Reads headers: names with a value or a list of values.
    private func headers(_ node: JSONNode?) throws(RecordFileError) -> HTTPFields {
        var headers = HTTPFields()
        for member in node?.members ?? [] {
            guard let name = HTTPField.Name(member.name) else {
                throw reader.problem(node ?? member.value, "\"\(member.name)\" isn't the name of a header")
            }
            for value in member.value.array ?? [member.value] {
                let bytes = try body(value)
                headers.append(HTTPField(name: name, value: String(decoding: bytes, as: UTF8.self)))
            }
        }
        return headers
    }

    /// Reads the bytes of a body or a value.
    private func body(_ node: JSONNode?) throws(RecordFileError) -> Bytes {
        guard let node else { return Bytes() }
        if let base64 = node["base64_string"] ?? node["string"]?["base64_string"] {
            guard let bytes = HARText.base64(String(try reader.string(base64).filter { !$0.isWhitespace })) else {
                throw reader.problem(base64, "this isn't valid base64 (RFC 4648 section 4)")
            }
            return bytes
        }
        if node.members != nil {
            guard let text = node["string"] else { return Bytes() }
            let charset = node["encoding"]?.string.map { "text/plain; charset=\($0)" } ?? ""
            return HARText.bytes(try reader.string(text), contentType: charset)
        }
        guard let text = HARText.scalar(node) else {
            throw reader.problem(node, "expected text or an object, found \(node.kindName)")
        }
        return Bytes(text.utf8)
    }

    /// Returns the body without its content coding, which the tools record with an option that keeps the bytes; the
    /// header goes with it.
    private func decoded(
        _ bytes: Bytes, _ headers: inout HTTPFields, at node: JSONNode
    ) throws(RecordFileError) -> Bytes {
        guard let coding = headers[.contentEncoding] else { return bytes }
        let codings = coding.lowercased().split(separator: ",").map { String($0).trimmed }
        headers[.contentEncoding] = nil
        var body = bytes
        defer { if headers[.contentLength] != nil { headers[.contentLength] = String(body.count) } }
        for coding in codings.reversed() where coding != "identity" {
            // Some options of the tools decode the body and leave the header.
            guard let decoded = RecordedCoding.decode(body, coding) else {
                if coding == "gzip" || coding == "x-gzip", bytes.starts(with: [0x1f, 0x8b]) {
                    throw reader.problem(node, "the body isn't valid \(coding)")
                }
                return body
            }
            body = decoded
        }
        return body
    }
}

extension CapturedExchange {
    /// Marks the body of the response as incomplete.
    fileprivate mutating func cutBody(_ size: Int64) {
        guard case .response(var response) = outcome else { return }
        (response.body.isCut, response.body.passed) = (true, size)
        outcome = .response(response)
    }
}
#endif
