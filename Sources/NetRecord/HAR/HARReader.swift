internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads HAR as browsers and proxies write it: ignores unknown members and tolerates missing optional ones.
///
/// A part that can't be read is skipped, or a value guessed, and noted in ``remarks``; a strict reader throws instead.
struct HARReader {
    let reader: DocumentReader
    /// The folder in which Playwright stored bodies; nil to ignore references to files.
    var folder: String?
    let isStrict: Bool
    /// The program that wrote the file.
    var producer = HARProducer()
    /// The dates of the file's pages by their IDs.
    var pages: [String: Date] = [:]
    private(set) var remarks = HARRemarks()
    private var lastDate: Date?

    init(file: String, isStrict: Bool = false) {
        reader = DocumentReader(file: file, advice: "correct it there, or export the HAR file again")
        self.isStrict = isStrict
    }

    func check(version: JSONNode?) throws(RecordFileError) {
        guard let version, let text = version.string, !text.isEmpty, !text.hasPrefix("1.") else { return }
        throw reader.problem(version, "the file is HAR \(text), newer than 1.2", advice: "export it as HAR 1.2")
    }

    mutating func cassette(_ document: JSONNode) throws(RecordFileError) -> Cassette {
        let log = try reader.member("log", of: document)
        try check(version: log["version"])
        producer = HARProducer(log["creator"])
        pages = Self.dates(ofPages: log["pages"])
        var cassette = Cassette()
        for node in try reader.array(reader.member("entries", of: log)) {
            guard let exchange = try exchange(node) else { continue }
            cassette.exchanges.append(exchange)
            cassette.lines.append(node.position.line)
        }
        cassette.remarks = remarks
        return cassette
    }

    static func dates(ofPages node: JSONNode?) -> [String: Date] {
        var dates: [String: Date] = [:]
        for page in node?.array ?? [] {
            guard let id = page["id"]?.string, let text = page["startedDateTime"]?.string else { continue }
            dates[id] = HARDate.read(text)?.date
        }
        return dates
    }

    // MARK: Remarks

    /// Skips a part that can't be read; throws in a strict reader.
    mutating func skip(
        _ error: RecordFileError, as kind: HARRemark.Kind = .skipped
    ) throws(RecordFileError) {
        if isStrict { throw error }
        remarks.add(
            HARRemark(kind: kind, reason: error.problem, place: error.place, line: error.position?.line ?? 0))
    }

    /// Reads a value that isn't in the form of HAR 1.2 as `guess`; throws in a strict reader.
    mutating func guess(_ node: JSONNode, _ problem: String, _ guess: String) throws(RecordFileError) {
        if isStrict { throw reader.problem(node, problem) }
        remarks.add(
            HARRemark(kind: .guessed, reason: "\(problem): \(guess)", place: node.place, line: node.position.line))
    }

    // MARK: Entries

    /// Returns the exchange of an entry; nil for an entry that is skipped.
    mutating func exchange(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange? {
        do throws(RecordFileError) { return try read(node) } catch {
            try skip(error, as: .skippedEntry)
            return nil
        }
    }

    private mutating func read(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange {
        let request = try request(reader.member("request", of: node))
        let date = try date(of: node)
        let (phases, total) = producer.times(node)
        let wait = phases.all.contains { $0 != nil } ? phases.untilHead : total ?? 0
        return CapturedExchange(
            recordedAt: date, duration: wait > 0 && wait < 1e13 ? .microseconds(Int64((wait * 1000).rounded())) : .zero,
            request: request, outcome: try outcome(node, date, wait))
    }

    /// Returns the entry's date; if it has none, that of its page, or of the entry before.
    private mutating func date(of node: JSONNode) throws(RecordFileError) -> Date {
        let member = node["startedDateTime"]
        var date: Date
        if let read = member?.string.flatMap(HARDate.read) {
            date = read.date
            if read.isWithoutOffset {
                try guess(member ?? node, "the date has no offset from UTC", "taken as UTC")
            }
        } else {
            let page = node["pageref"]?.string.flatMap { pages[$0] }
            date = page ?? lastDate ?? Date(timeIntervalSince1970: 0)
            try guess(
                member ?? node, "expected a date such as 2026-01-31T12:00:00.000Z",
                page != nil ? "took that of the page" : lastDate != nil ? "took that of the entry before" : "took 1970")
        }
        lastDate = date
        return date
    }

    private mutating func outcome(
        _ node: JSONNode, _ date: Date, _ wait: Double
    ) throws(RecordFileError) -> CapturedExchange.Outcome {
        guard let response = node["response"], response.members != nil else {
            try guess(node["response"] ?? node, "the entry has no response", "a call without one")
            return .failure(Self.failure(node["_error"]?.string))
        }
        let text = response["_error"]?.string ?? response["_failureText"]?.string
        guard let status = try status(response) else { return .failure(Self.failure(text)) }
        // Playwright and others write 0 or -1 for a call without a response. Firefox writes 0 for a response from its
        // cache, with its headers and its body.
        let hasContent =
            response["headers"]?.array?.isEmpty == false || (response["content"]?["text"]?.string ?? "") != ""
        guard status > 0 || status == 0 && text == nil && hasContent else { return .failure(Self.failure(text)) }
        var recorded = try self.response(response, status)
        recorded.socket = try socket(node, since: date.timeIntervalSince1970, wait: wait)
        return .response(recorded)
    }

    /// Returns a status of three digits, or 0 for no response; nil for a status that isn't one of HTTP.
    private mutating func status(_ response: JSONNode) throws(RecordFileError) -> Int? {
        guard let node = response["status"] else {
            try guess(response, "the member \"status\" is missing", "a call without a response")
            return nil
        }
        if let code = Int(exactly: node.number ?? .nan) ?? node.string.flatMap({ Int($0) }) {
            if (100...999).contains(code) { return code }
            if code == 0 || code == -1 { return 0 }
        }
        try guess(node, "expected a status of three digits, or 0 for no response", "a call without a response")
        return nil
    }

    /// Returns the failure of a call without a response: it has the status 0 and, in some programs' files, a text.
    static func failure(_ text: String?) -> CapturedExchange.Failure {
        let text = text ?? ""
        if let code = HARFailure.code(of: text) { return .init(code: code, message: text) }
        if let colon = text.firstRange(of: ": "), !text[..<colon.lowerBound].contains(" ") {
            return .init(code: String(text[..<colon.lowerBound]), message: String(text[colon.upperBound...]))
        }
        if text.isEmpty { return .init(code: HARFailure.unrecorded, message: "no response was recorded") }
        return .init(code: NetError.Code.connectionLost.rawValue, message: text)
    }

    // MARK: Requests

    private mutating func request(_ node: JSONNode) throws(RecordFileError) -> CapturedExchange.Request {
        let method = try reader.member("method", of: node)
        guard let parsed = HTTPRequest.Method(try reader.string(method)) else {
            throw reader.problem(method, "this isn't an HTTP method")
        }
        let url = try reader.string(reader.member("url", of: node))
        var request = CapturedExchange.Request(method: parsed, url: url, headers: try headers(node["headers"]))
        if let data = node["postData"] ?? node["_postData"] {
            request.body = try requestBody(data, request.headers[.contentType])
        }
        return request
    }

    private mutating func requestBody(_ data: JSONNode, _ type: String?) throws(RecordFileError) -> CapturedBody {
        let params = data["params"]?.array ?? []
        var body: CapturedBody
        // Some programs write an empty text in addition to the parameters.
        if let bytes = try fileBytes(data) {
            body = CapturedBody(bytes)
        } else if let text = data.string != nil ? data : data["text"], text.string != "" || params.isEmpty {
            body = try self.body(text, of: data)
        } else {
            body = CapturedBody(Self.body(of: params, mimeType: type ?? data["mimeType"]?.string ?? ""))
        }
        if data["_isCut"]?.bool == true { body.isCut = true }
        return body
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

    // MARK: Responses

    private mutating func response(
        _ node: JSONNode, _ code: Int
    ) throws(RecordFileError) -> CapturedExchange.Response {
        let reason = node["statusText"]?.string ?? ""
        var response = CapturedExchange.Response(
            status: reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason),
            version: Self.version(node["httpVersion"]?.string ?? ""), headers: try headers(node["headers"]))
        // The file that Playwright attaches to a handshake contains messages, not the response's body.
        if let content = node["content"], code != 101 || content["_file"] == nil { response.body = try body(content) }
        response.dropDecodedCoding()
        if node["_trailers"] != nil { response.trailers = try headers(node["_trailers"]) }
        if let error = node["_error"]?.string, !error.isEmpty { response.body.failure = Self.failure(error) }
        return response
    }

    private mutating func body(_ content: JSONNode) throws(RecordFileError) -> CapturedBody {
        let size = content["size"]?.number.flatMap { $0 > 0 ? Int64(exactly: $0) : nil }
        var body = CapturedBody()
        if let text = content["text"], text.kindName != "null" {
            body = try self.body(text, of: content)
            if let stream = content["_stream"], !body.isCut {
                do throws(RecordFileError) { body.pieces = try pieces(stream, of: body.bytes) } catch {
                    try skip(error)
                }
            }
            if let size, HARText.isCut(body.bytes, size: size, content) { (body.isCut, body.passed) = (true, size) }
        } else if let bytes = try fileBytes(content) {
            return CapturedBody(bytes)
        } else if let size {
            // Browsers can save without bodies; an unsaved body must not be read as an empty one.
            (body.isCut, body.passed) = (true, size)
        }
        if let isCut = content["_isCut"]?.bool {
            body.isCut = isCut
            // Something was hidden in the body, whose size was another one.
            if !isCut { body.passed = nil }
        }
        return body
    }

    /// Returns the body of a text; an unreadable one is a body of which nothing was recorded.
    private mutating func body(_ text: JSONNode, of owner: JSONNode) throws(RecordFileError) -> CapturedBody {
        do throws(RecordFileError) {
            return CapturedBody(try HARText.bytes(text, of: owner, reader))
        } catch {
            try skip(error)
            return CapturedBody(
                pieces: [], isCut: true, passed: owner["size"]?.number.flatMap { $0 >= 0 ? Int64(exactly: $0) : nil })
        }
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
    /// named, or if it can't be read.
    mutating func fileBytes(_ body: JSONNode) throws(RecordFileError) -> Bytes? {
        do throws(RecordFileError) { return try contents(namedBy: body) } catch {
            try skip(error)
            return nil
        }
    }

    private func contents(namedBy body: JSONNode) throws(RecordFileError) -> Bytes? {
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

    /// Extracts the version: `1.1` from `HTTP/1.1`, `2` from `h2`, `http/2.0` and `HTTP/2`. Another protocol, such as
    /// `spdy/3.1`, keeps its name.
    private static func version(_ text: String) -> String {
        let name = text.lowercased()
        guard name.hasPrefix("http/") || name.hasPrefix("h") && name.count <= 3 else {
            return text.contains { $0.isNumber } ? text : ""
        }
        let digits = text.drop { !$0.isNumber }
        return digits == "2.0" ? "2" : digits == "3.0" ? "3" : String(digits)
    }

    /// Returns the headers; skips HTTP/2 pseudo-headers (`:path`). Some programs join the values of a repeated header with
    /// line breaks; some write a list, a number or null as the value, or an object with the names as members.
    private mutating func headers(_ node: JSONNode?) throws(RecordFileError) -> HTTPFields {
        var headers = HTTPFields()
        let pairs: [(name: String?, value: JSONNode?)] =
            node?.members?.map { ($0.name, $0.value) } ?? (node?.array ?? []).map { ($0["name"]?.string, $0["value"]) }
        for (text, value) in pairs {
            guard let name = text.flatMap({ HTTPField.Name($0) }) else {
                if text?.hasPrefix(":") != true, let node {
                    try skip(reader.problem(node, "a header has no valid name"))
                }
                continue
            }
            let values = value?.array.map { $0.map(Optional.some) } ?? [value]
            for value in values { Self.add(name, value.flatMap(HARText.scalar) ?? "", to: &headers) }
        }
        return headers
    }

    private static func add(_ name: HTTPField.Name, _ value: String, to headers: inout HTTPFields) {
        for line in value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            headers.append(HTTPField(name: name, value: String(line)))
        }
        if value.isEmpty { headers.append(HTTPField(name: name, value: "")) }
    }
}
