internal import HTTPTypes

extension RedactionPolicy {
    /// Returns the exchange with ``placeholder`` in place of each mark (``markKey``), so that it equals a live
    /// request redacted without a key. In URLs, marks are percent-encoded; in XML and HTML, they are written with
    /// character references.
    package func withPlainMarks(_ exchange: CapturedExchange) -> CapturedExchange {
        var plain = exchange
        plain.request.url = plainMarks(exchange.request.url)
        plain.request.headers = plainMarks(exchange.request.headers)
        plain.request.body = plainMarks(exchange.request.body)
        guard case .response(var response) = exchange.outcome else { return plain }
        response.headers = plainMarks(response.headers)
        response.trailers = response.trailers.map(plainMarks)
        response.body = plainMarks(response.body)
        if var socket = response.socket {
            for index in socket.messages.indices {
                socket.messages[index].message = plainMarks(socket.messages[index].message)
            }
            if case .closed(let code, let reason, let side) = socket.ending {
                socket.ending = .closed(code, reason: plainMarks(reason), by: side)
            }
            response.socket = socket
        }
        plain.outcome = .response(response)
        return plain
    }

    /// Returns the text with the placeholder in place of each mark.
    package func plainMarks(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let digits = digits(of: marks, in: bytes)
        return digits.isEmpty ? text : String(decoding: Self.without(digits, bytes), as: UTF8.self)
    }

    private func plainMarks(_ headers: HTTPFields) -> HTTPFields {
        var plain = HTTPFields()
        for field in headers { plain.append(HTTPField(name: field.name, value: plainMarks(field.value))) }
        return plain
    }

    private func plainMarks(_ message: WebSocketMessage) -> WebSocketMessage {
        switch message {
        case .text(let text): .text(plainMarks(text))
        case .binary(let bytes): .binary(plainMarks(bytes))
        }
    }

    private func plainMarks(_ body: CapturedBody) -> CapturedBody {
        var plain = body
        plain.pieces = body.pieces.map { .init(plainMarks($0.bytes), after: $0.delay) }
        return plain
    }

    private func plainMarks(_ bytes: Bytes) -> Bytes {
        let array = bytes.withUnsafeBytes { [UInt8]($0) }
        let digits = digits(of: marks, in: array)
        return digits.isEmpty ? bytes : Bytes(Self.without(digits, array))
    }

    /// The texts before and after the digits of a mark: plain, and as written in URLs and XML.
    private var marks: [(start: [UInt8], end: [UInt8])] {
        let (start, end) = markedParts
        var marks = [(start: Array(start.utf8), end: Array(end.utf8))]
        guard end == ">" else { return marks }
        // The word `redacted`, between the bracket and the colon.
        let name = start.dropFirst().dropLast()
        for (open, close) in [("%3C", "%3E"), ("%3c", "%3e"), ("&lt;", "&gt;")] {
            for colon in [":", "%3A"] {
                marks.append((Array("\(open)\(name)\(colon)".utf8), Array(close.utf8)))
            }
        }
        return marks
    }

    /// Returns the ranges to remove: the colon and the eight digits.
    private func digits(of marks: [(start: [UInt8], end: [UInt8])], in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (start, end) in marks {
            let colon = start.last == UInt8(ascii: "A") ? 3 : 1
            var index = 0
            while let first = start.first, let next = bytes[index...].firstIndex(of: first) {
                let digits = next + start.count
                index = next + 1
                guard digits + 8 + end.count <= bytes.count, bytes[next..<digits].elementsEqual(start),
                    bytes[digits..<digits + 8].allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
                    bytes[digits + 8..<digits + 8 + end.count].elementsEqual(end)
                else { continue }
                found.append(digits - colon..<digits + 8)
                index = digits + 8
            }
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func without(_ ranges: [Range<Int>], _ bytes: [UInt8]) -> [UInt8] {
        var (kept, start): ([UInt8], Int) = ([], 0)
        for range in ranges {
            kept += bytes[start..<range.lowerBound]
            start = range.upperBound
        }
        return kept + bytes[start...]
    }
}
