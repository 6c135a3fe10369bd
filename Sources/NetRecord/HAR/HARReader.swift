internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads HAR as browsers and proxies write it: ignores unknown members and tolerates missing optional ones.
struct HARReader {
    let reader: DocumentReader
    /// The folder in which Playwright stored bodies; nil to ignore references to files.
    var folder: String?

    init(file: String) {
        reader = DocumentReader(file: file, advice: "correct it there, or export the HAR file again")
    }

    func check(version: JSONNode?) throws(RecordFileError) {
        guard let version, let text = version.string, !text.isEmpty, !text.hasPrefix("1.") else { return }
        throw reader.problem(version, "the file is HAR \(text), newer than 1.2", advice: "export it as HAR 1.2")
    }

    func cassette(_ document: JSONNode) throws(RecordFileError) -> Cassette {
        let log = try reader.member("log", of: document)
        try check(version: log["version"])
        var cassette = Cassette()
        for node in try reader.array(reader.member("entries", of: log)) {
            cassette.exchanges.append(try exchange(node))
            cassette.lines.append(node.position.line)
        }
        return cassette
    }

    func exchange(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange {
        let date = node["startedDateTime"]?.string.flatMap { RFC3339.date(from: $0) }
        let wait = node["timings"].flatMap(HARTimings.untilHead) ?? node["time"]?.number ?? 0
        let response = try reader.member("response", of: node)
        let outcome: CapturedExchange.Outcome
        // Playwright writes -1.
        if try [0, -1].contains(reader.number(reader.member("status", of: response))) {
            outcome = .failure(Self.failure(response["_error"]?.string ?? response["_failureText"]?.string))
        } else {
            var recorded = try self.response(response)
            recorded.socket = try socket(node, since: date?.timeIntervalSince1970, wait: wait)
            outcome = .response(recorded)
        }
        return CapturedExchange(
            recordedAt: date ?? Date(timeIntervalSince1970: 0),
            duration: wait > 0 && wait < 1e13 ? .microseconds(Int64((wait * 1000).rounded())) : .zero,
            request: try request(reader.member("request", of: node)), outcome: outcome)
    }

    /// Returns the failure of a call without a response: it has the status 0 and, in some programs' files, a text.
    static func failure(_ text: String?) -> CapturedExchange.Failure {
        let text = text ?? ""
        if let colon = text.firstRange(of: ": "), !text[..<colon.lowerBound].contains(" ") {
            return .init(code: String(text[..<colon.lowerBound]), message: String(text[colon.upperBound...]))
        }
        return .init(
            code: NetError.Code.connectionLost.rawValue, message: text.isEmpty ? "no response was recorded" : text)
    }

    private func request(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Request {
        let method = try reader.member("method", of: node)
        guard let parsed = HTTPRequest.Method(try reader.string(method)) else {
            throw reader.problem(method, "this isn't an HTTP method")
        }
        let url = try reader.string(reader.member("url", of: node))
        var request = CapturedExchange.Request(method: parsed, url: url, headers: headers(node["headers"]))
        if let data = node["postData"] ?? node["_postData"] {
            let params = data["params"]?.array ?? []
            // Some programs write an empty text in addition to the parameters.
            if let bytes = try fileBytes(data) {
                request.body = CapturedBody(bytes)
            } else if let text = data["text"], text.string != "" || params.isEmpty {
                request.body = CapturedBody(try bytes(text, of: data, isBase64: data["_encoding"]?.string == "base64"))
            } else {
                request.body = CapturedBody(Self.body(of: params, mimeType: data["mimeType"]?.string ?? ""))
            }
            request.body.isCut = data["_isCut"]?.bool ?? false
        }
        return request
    }

    /// Returns the body that the parameters describe: multipart if the media type contains a boundary, otherwise a
    /// form.
    private static func body(of params: [JSONNode], mimeType: String) -> Bytes {
        guard let boundary = MultipartPart.boundary(of: mimeType) else {
            let items = params.compactMap { item in
                item["name"]?.string.map { QueryItem($0, item["value"]?.string ?? "") }
            }
            return Bytes(QueryItems(items).formEncoded.utf8)
        }
        var text = ""
        for param in params {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(param["name"]?.string ?? ""))"
            if let file = param["fileName"]?.string { text += "; filename=\(quoted(file))" }
            if let type = param["contentType"]?.string { text += "\r\nContent-Type: \(type)" }
            text += "\r\n\r\n\(param["value"]?.string ?? "")\r\n"
        }
        return Bytes((text + "--\(boundary)--\r\n").utf8)
    }

    /// Quotes a name as clients do (WHATWG HTML section 4.10.21.8).
    private static func quoted(_ name: String) -> String {
        "\"" + name.map { ["\"": "%22", "\r": "%0D", "\n": "%0A", "\r\n": "%0D%0A"][$0] ?? String($0) }.joined() + "\""
    }

    private func response(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Response {
        let status = try reader.member("status", of: node)
        guard let code = Int(exactly: try reader.number(status)), (100...999).contains(code) else {
            throw reader.problem(status, "expected a status of three digits, or 0 for no response")
        }
        let reason = node["statusText"]?.string ?? ""
        var response = CapturedExchange.Response(
            status: reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason),
            version: Self.version(node["httpVersion"]?.string ?? ""), headers: headers(node["headers"]))
        // The file that Playwright attaches to a handshake contains messages, not the response's body.
        if let content = node["content"], code != 101 || content["_file"] == nil { response.body = try body(content) }
        response.dropDecodedCoding()
        if node["_trailers"] != nil { response.trailers = headers(node["_trailers"]) }
        if let error = node["_error"]?.string, !error.isEmpty { response.body.failure = Self.failure(error) }
        return response
    }

    private func body(_ content: JSONNode) throws(RecordFileError) -> CapturedBody {
        var body = CapturedBody()
        if let text = content["text"] {
            let bytes = try bytes(text, of: content, isBase64: content["encoding"]?.string == "base64")
            body = CapturedBody(bytes)
            if let stream = content["_stream"] { body.pieces = try pieces(stream, of: bytes) }
        } else if let bytes = try fileBytes(content) {
            return CapturedBody(bytes)
        }
        // Browsers can save without bodies; an unsaved body must not be read as an empty one.
        let isLost = content["text"] == nil && (content["size"]?.number ?? 0) > 0
        body.isCut = content["_isCut"]?.bool ?? isLost
        return body
    }

    private func pieces(_ stream: JSONNode, of bytes: Bytes) throws(RecordFileError) -> [CapturedBody.Piece] {
        var pieces: [CapturedBody.Piece] = []
        var start = 0
        for node in try reader.array(stream) {
            let size = Int(exactly: try reader.number(reader.member("size", of: node))) ?? -1
            guard size >= 0, size <= bytes.count - start else {
                throw reader.problem(
                    node, "the sizes of _stream do not add up to the \(bytes.count) bytes of the text",
                    advice: "correct them, or remove _stream, which only keeps the pauses")
            }
            let delay = try reader.duration(reader.member("after", of: node))
            pieces.append(.init(bytes[start..<start + size], after: delay))
            start += size
        }
        guard start == bytes.count else {
            throw reader.problem(
                stream, "the sizes of _stream add up to \(start), but the text has \(bytes.count) bytes",
                advice: "correct them, or remove _stream, which only keeps the pauses")
        }
        return pieces
    }

    /// Returns the bytes of a file beside the HAR file, as Playwright writes with `content: "attach"`; nil if none is
    /// named.
    func fileBytes(_ body: JSONNode) throws(RecordFileError) -> Bytes? {
        guard let folder, let node = body["_file"], let name = node.string else { return nil }
        // The name must not lead to another folder.
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
            throw reader.problem(node, "\"_file\" must name a file in the folder of the HAR file")
        }
        do {
            return try PrivateFile.contents(of: "\(folder)/\(name)", upTo: 64 << 20)
        } catch {
            throw reader.problem(node, error.message, advice: "put the file there, or remove the member")
        }
    }

    /// Extracts the version: `1.1` from `HTTP/1.1`, `2` from `h2`, `http/2.0` and `HTTP/2`.
    private static func version(_ text: String) -> String {
        let digits = text.drop { !$0.isNumber }
        return digits == "2.0" ? "2" : digits == "3.0" ? "3" : String(digits)
    }

    /// Returns the headers; skips HTTP/2 pseudo-headers (`:path`) and invalid names. Some programs join the values of a
    /// repeated header with line breaks.
    private func headers(_ node: JSONNode?) -> HTTPFields {
        var headers = HTTPFields()
        for header in node?.array ?? [] {
            guard let name = header["name"]?.string.flatMap({ HTTPField.Name($0) }), let value = header["value"]?.string
            else { continue }
            for line in value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
                headers.append(HTTPField(name: name, value: String(line)))
            }
            if value.isEmpty { headers.append(HTTPField(name: name, value: "")) }
        }
        return headers
    }

    private func bytes(_ node: JSONNode, of body: JSONNode, isBase64: Bool) throws(RecordFileError) -> Bytes {
        let text = try reader.string(node)
        guard isBase64 else { return HARText.bytes(text, contentType: body["mimeType"]?.string ?? "") }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw reader.problem(node, "this isn't valid base64 (RFC 4648 section 4)")
        }
        return Bytes(data)
    }
}
