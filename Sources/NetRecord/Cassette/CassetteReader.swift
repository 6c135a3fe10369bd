internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads the JSON form of a cassette strictly: anything it doesn't understand is an error.
struct CassetteReader {
    let reader: DocumentReader
    private let bodies: BodyFiles

    init(file: String) {
        reader = DocumentReader(
            file: file, advice: "correct it there, restore the file from version control, or record it again")
        bodies = BodyFiles(cassette: file)
    }

    func cassette(_ document: JSONNode) throws(RecordFileError) -> Cassette {
        try checkVersion(reader.member("version", of: document))
        try reader.onlyMembers(["version", "exchanges"], in: document)
        var cassette = Cassette()
        for node in try reader.array(reader.member("exchanges", of: document)) {
            cassette.exchanges.append(try exchange(node))
            cassette.lines.append(node.position.line)
        }
        return cassette
    }

    private func checkVersion(_ node: JSONNode) throws(RecordFileError) {
        let number = try reader.number(node)
        if number > Double(Cassette.version) {
            let message =
                "the file has version \(Int(clamping: number)), newer than \(Cassette.version), "
                + "the newest that this library reads"
            throw reader.problem(node, message, advice: "update the library, or record the file again")
        }
        if number != Double(Cassette.version) { throw reader.problem(node, "there is no such version") }
    }

    private func exchange(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange {
        try reader.onlyMembers(["recordedAt", "milliseconds", "request", "response", "failure"], in: node)
        let date = try reader.member("recordedAt", of: node)
        guard let recordedAt = RFC3339.date(from: try reader.string(date)) else {
            throw reader.problem(date, "expected a time such as 2026-01-31T12:00:00Z")
        }
        let outcome: CapturedExchange.Outcome
        switch (node["response"], node["failure"]) {
        case (let response?, nil): outcome = .response(try self.response(response))
        case (nil, let failure?): outcome = .failure(try self.failure(failure))
        case (nil, nil): throw reader.problem(node, "\"response\" or \"failure\" is missing")
        case (_, let failure?): throw reader.problem(failure, "\"response\" and \"failure\" can't be combined")
        }
        return CapturedExchange(
            recordedAt: recordedAt, duration: try reader.duration(reader.member("milliseconds", of: node)),
            request: try request(reader.member("request", of: node)), outcome: outcome)
    }

    private func request(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Request {
        try reader.onlyMembers(["method", "url", "fields", "body"], in: node)
        let method = try reader.member("method", of: node)
        guard let parsed = HTTPRequest.Method(try reader.string(method)) else {
            throw reader.problem(method, "this isn't an HTTP method")
        }
        let url = try reader.member("url", of: node)
        let text = try reader.string(url)
        guard text.contains("://"), !text.contains(where: \.isWhitespace) else {
            throw reader.problem(url, "expected a whole URL such as https://host/path")
        }
        return .init(method: parsed, url: text, headers: try headers(node["fields"]), body: try body(node["body"]))
    }

    private func response(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Response {
        try reader.onlyMembers(["status", "reason", "version", "fields", "body", "trailers", "socket"], in: node)
        let status = try reader.member("status", of: node)
        let number = try reader.number(status)
        guard let code = Int(exactly: number), (100...999).contains(code) else {
            throw reader.problem(status, "expected a status of three digits")
        }
        let reason = try node["reason"].map { node throws(RecordFileError) in try reader.string(node) }
        return .init(
            status: reason.map { .init(code: code, reasonPhrase: $0) } ?? .init(code: code),
            version: try node["version"].map { node throws(RecordFileError) in try reader.string(node) } ?? "",
            headers: try headers(node["fields"]), body: try body(node["body"]),
            trailers: node["trailers"] == nil ? nil : try headers(node["trailers"]),
            socket: try node["socket"].map { node throws(RecordFileError) in try socket(node) })
    }

    func failure(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Failure {
        try reader.onlyMembers(["code", "message"], in: node)
        return .init(
            code: try reader.string(reader.member("code", of: node)),
            message: try reader.string(reader.member("message", of: node)))
    }

    private func headers(_ node: JSONNode?) throws(RecordFileError) -> HTTPFields {
        var headers = HTTPFields()
        guard let node else { return headers }
        for line in try reader.array(node) {
            let text = try reader.string(line)
            guard let colon = text.firstIndex(of: ":"), let name = HTTPField.Name(String(text[..<colon])) else {
                throw reader.problem(line, "expected a header such as \"Content-Type: text/plain\"")
            }
            let value = text[text.index(after: colon)...].trimmed
            guard HTTPField.isValidValue(value) else {
                throw reader.problem(line, "the value of \(name.rawName) has characters that aren't allowed in headers")
            }
            headers.append(HTTPField(name: name, value: value))
        }
        return headers
    }

    private func body(_ node: JSONNode?) throws(RecordFileError) -> CapturedBody {
        guard let node else { return CapturedBody() }
        try reader.onlyMembers(["text", "base64", "file", "stream", "isCut", "failure"], in: node)
        try reader.onlyOne(["text", "base64", "file", "stream"], in: node)
        var body = CapturedBody()
        if let stream = node["stream"] {
            for piece in try reader.array(stream) {
                try reader.onlyMembers(["after", "text", "base64", "file"], in: piece)
                try reader.onlyOne(["text", "base64", "file"], in: piece)
                let delay = try piece["after"].map { node throws(RecordFileError) in try reader.duration(node) }
                body.pieces.append(.init(try content(piece), after: delay ?? .zero))
            }
        } else if node["text"] != nil || node["base64"] != nil || node["file"] != nil {
            body = CapturedBody(try content(node))
        }
        body.isCut = try node["isCut"].map { node throws(RecordFileError) in try reader.bool(node) } ?? false
        body.failure = try node["failure"].map { node throws(RecordFileError) in try failure(node) }
        return body
    }

    func content(_ node: JSONNode) throws(RecordFileError) -> Bytes {
        if let text = node["text"] { return Bytes(try joined(text).utf8) }
        if let base64 = node["base64"] {
            guard let data = Data(base64Encoded: try joined(base64)) else {
                throw reader.problem(base64, "this isn't valid base64 (RFC 4648 section 4)")
            }
            return Bytes(data)
        }
        let file = try reader.member("file", of: node)
        guard let bytes = bodies.read(try reader.string(file)) else {
            throw reader.problem(
                file, "there is no such file in the folder \(bodies.folder)",
                advice: "add the folder to version control with the cassette, or record it again")
        }
        return bytes
    }

    private func joined(_ node: JSONNode) throws(RecordFileError) -> String {
        var text = ""
        for line in try reader.array(node) { text += try reader.string(line) }
        return text
    }
}

extension Int {
    /// Creates the nearest whole number, clamped to the range of `Int`.
    init(clamping value: Double) {
        self = Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}
