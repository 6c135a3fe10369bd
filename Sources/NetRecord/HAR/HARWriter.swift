internal import HTTPTypes
package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes HAR 1.2. Data that HAR has no member for is in members that begin with `_`, as HAR requires:
///
/// | member | content |
/// |---|---|
/// | `response._error` | why there was no response, or why its body broke off: `code: message` |
/// | `response._trailers` | the trailers, in the form of `headers` |
/// | `content._stream` | the pieces of a stream: `after`, the milliseconds before it, and `size` in bytes |
/// | `content._isCut` | the body is longer than its recorded part |
/// | `request._postData` | the recorded part of an incomplete body, in the form of `postData`, which is then absent: a
/// program that sends the request again must not take the part for the whole. The `comment` of the request says so |
/// | `postData._encoding` | `base64` for a body that isn't UTF-8 |
/// | `_webSocketMessages` | the messages of a WebSocket, as Chromium writes them |
/// | `_webSocketEnd`, `_webSocketIsCut` | how it ended; true if not all of it was recorded |
package struct HARWriter {
    package init() {}

    /// The beginning of a file. The entries after it are written one by one with ``text(of:)``, separated by commas.
    package static let beginning = """
        {
          "log": {
            "creator": {
              "name": "swift-net",
              "version": "\(Cassette.version)"
            },
            "entries": [
        """

    /// Returns the end of a file.
    ///
    /// - Parameter pages: The pages that entries refer to by `pageref`.
    package static func end(pages: JSONValue = []) -> String {
        var text = "\n    ],\n    \"pages\": "
        RecordJSON.append(pages, indent: "    ", to: &text)
        return text + ",\n    \"version\": \"1.2\"\n  }\n}\n"
    }

    /// Returns the text of an entry, on lines of its own.
    package static func text(of entry: JSONValue) -> String {
        var text = "\n      "
        RecordJSON.append(entry, indent: "      ", to: &text)
        return text
    }

    func document(_ cassette: Cassette) -> JSONValue {
        let log: JSONValue = [
            "version": "1.2", "creator": ["name": "swift-net", "version": .string("\(Cassette.version)")],
            "entries": .array(cassette.exchanges.map(entry)),
        ]
        return ["log": log]
    }

    /// Returns the entry of an exchange.
    package func entry(_ exchange: CapturedExchange) -> JSONValue {
        let timings = HARTimings(exchange)
        var entry: [String: JSONValue] = [
            "startedDateTime": .string(RFC3339.format(exchange.recordedAt)),
            "time": CassetteWriter.milliseconds(timings.total),
            "request": request(exchange.request, version: exchange.response?.version ?? ""),
            "response": response(exchange), "cache": [:], "timings": timings.value,
        ]
        if let address = timings.serverAddress { entry["serverIPAddress"] = .string(address) }
        if let socket = exchange.socket { entry.merge(members(of: socket, exchange)) { $1 } }
        return .object(entry)
    }

    private func request(_ request: CapturedExchange.Request, version: String) -> JSONValue {
        var value: [String: JSONValue] = [
            "method": .string(request.method.rawValue), "url": Self.url(request.url),
            "httpVersion": .string(Self.version(version)),
            "cookies": Self.cookies(request.headers[values: .cookie]), "headers": Self.headers(request.headers),
            "queryString": Self.query(request.url), "headersSize": -1,
            "bodySize": .integer(Self.size(request.body)),
        ]
        if !request.body.isAbsent {
            let type = request.headers[.contentType] ?? ""
            let (text, isBase64) = HARText.write(request.body.bytes, contentType: type)
            var data: [String: JSONValue] = ["mimeType": .string(type), "text": .string(text)]
            if isBase64 { data["_encoding"] = "base64" }
            if request.body.isCut {
                data["_isCut"] = true
                value["comment"] = .string(Self.comment(onPartOf: request.body))
            }
            value[request.body.isCut ? "_postData" : "postData"] = .object(data)
        }
        return .object(value)
    }

    /// A sentence about the missing part of a body.
    private static func comment(onPartOf body: CapturedBody) -> String {
        let (kept, size) = (body.keptCount, body.passed ?? 0)
        let whole = size > Int64(kept) ? " of \(size) bytes" : ""
        if kept == 0 { return "The body\(whole) wasn't captured, so there is no postData." }
        return "Only the first \(kept) bytes of the body\(whole) were captured, so there is no postData."
    }

    private func response(_ exchange: CapturedExchange) -> JSONValue {
        let response: CapturedExchange.Response
        var error: JSONValue?
        switch exchange.outcome {
        case .response(let recorded):
            response = recorded
            error = recorded.body.failure.map { .string("\($0.code): \($0.message)") }
        case .failure(let failure):
            response = .init(status: .init(code: 0, reasonPhrase: ""))
            error = .string("\(failure.code): \(failure.message)")
        }
        let type = response.headers[.contentType] ?? ""
        let (text, isBase64) = HARText.write(response.body.bytes, contentType: type)
        var content: [String: JSONValue] = [
            "size": .integer(Self.size(response.body)), "mimeType": .string(type),
        ]
        // An empty text would say that the body is empty.
        if !response.body.isCut || response.body.keptCount > 0 { content["text"] = .string(text) }
        if isBase64 { content["encoding"] = "base64" }
        if response.body.isCut { content["_isCut"] = true }
        if response.body.isTimed { content["_stream"] = .array(response.body.pieces.map(Self.piece)) }
        var value: [String: JSONValue] = [
            "status": .integer(Int64(response.status.code)), "statusText": .string(response.status.reasonPhrase),
            "httpVersion": .string(Self.version(response.version)),
            "cookies": Self.cookies(response.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }),
            "headers": Self.headers(response.headers), "content": .object(content),
            "redirectURL": Self.url(response.headers[.location] ?? ""), "headersSize": -1, "bodySize": -1,
        ]
        value["_error"] = error
        if let trailers = response.trailers, !trailers.isEmpty { value["_trailers"] = Self.headers(trailers) }
        return .object(value)
    }

    /// The size of the recorded bytes, or of the whole body if only a part was recorded.
    private static func size(_ body: CapturedBody) -> Int64 {
        body.isCut ? max(body.count, Int64(body.keptCount)) : Int64(body.keptCount)
    }

    private static func piece(_ piece: CapturedBody.Piece) -> JSONValue {
        ["after": CassetteWriter.milliseconds(piece.delay), "size": .integer(Int64(piece.bytes.count))]
    }

    /// Escapes angle brackets, which mark hidden values but aren't allowed in a URI (RFC 3986 appendix C).
    package static func url(_ url: String) -> JSONValue {
        .string(
            url.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "%3C")
                .split(separator: ">", omittingEmptySubsequences: false).joined(separator: "%3E"))
    }

    /// Returns the version as HAR writes it; another protocol, such as `spdy/3.1`, keeps its name.
    package static func version(_ version: String) -> String {
        version.isEmpty ? "HTTP/1.1" : version.first?.isNumber == true ? "HTTP/\(version)" : version
    }

    private static func headers(_ headers: HTTPFields) -> JSONValue {
        .array(headers.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
    }

    /// Returns the cookies in `Cookie` or `Set-Cookie` values; a hidden value contains none.
    private static func cookies(_ values: [String]) -> JSONValue {
        var cookies: [JSONValue] = []
        for pair in values.flatMap({ $0.split(separator: ";") }) {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].drop { $0 == " " }
            cookies.append([
                "name": .string(String(name)), "value": .string(String(pair[pair.index(after: equals)...])),
            ])
        }
        return .array(cookies)
    }

    private static func query(_ url: String) -> JSONValue {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        let items = url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&")
        return .array(
            items.map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return [
                    "name": .string(PercentEncoding.decode(parts[0], plusIsSpace: true)),
                    "value": .string(parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : ""),
                ]
            })
    }
}
