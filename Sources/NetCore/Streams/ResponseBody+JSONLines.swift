extension ResponseBody {
    /// The JSON values of the body, one a line; the first that cannot be decoded throws and ends the stream.
    ///
    ///     struct Tick: Decodable, Sendable { let price: Double }
    ///     for try await tick in body.jsonLines(of: Tick.self) { print(tick.price) }
    ///
    /// - Parameters:
    ///   - type: What each line is.
    ///   - coding: The coders. Default nil: those of the client that sent the request, else ``JSONCoding/standard``.
    ///   - framing: How the values are told apart. Default lines.
    ///   - maximumLineBytes: The longest line; a longer one throws `.bodyTooLarge`. Default 16 MiB.
    public func jsonLines<Element: Decodable & Sendable>(
        of type: Element.Type, coding: JSONCoding? = nil, framing: JSONFraming = .lines,
        maximumLineBytes: Int = 16 << 20
    ) -> JSONLines<Element> {
        let coding = coding ?? self.coding
        return JSONLines(body: self, framing: framing, maximumLineBytes: maximumLineBytes) {
            line, number throws(NetError) in
            try JSONLineDecoder(coding: coding, isRecord: framing == .recordSeparators).decode(type, line, number)
        }
    }

    /// The JSON values of the body, one a line; one that cannot be decoded is handed out as a failure, and the stream goes
    /// on.
    ///
    ///     for try await result in body.jsonLineResults(of: [String: Int].self) {
    ///         switch result {
    ///         case .success(let value): print(value)
    ///         case .failure(let error): print(error.message)
    ///         }
    ///     }
    public func jsonLineResults<Value: Decodable & Sendable>(
        of type: Value.Type, coding: JSONCoding? = nil,
        framing: JSONFraming = .lines, maximumLineBytes: Int = 16 << 20
    ) -> JSONLines<Result<Value, NetError>> {
        let coding = coding ?? self.coding
        return JSONLines(body: self, framing: framing, maximumLineBytes: maximumLineBytes) {
            line, number throws(NetError) in
            let decoder = JSONLineDecoder(coding: coding, isRecord: framing == .recordSeparators)
            return Result { () throws(NetError) in try decoder.decode(type, line, number) }.mapError { filled($0) }
        }
    }
}

extension ResponseSerializer {
    /// JSON values, one a line, handed out while they arrive; `coding` nil takes the client's coders.
    ///
    ///     let serializer = ResponseSerializer.jsonLines(of: [String: Int].self)
    ///     print(serializer.accept ?? "")
    public static func jsonLines<Element: Decodable & Sendable>(
        of type: Element.Type, coding: JSONCoding? = nil, framing: JSONFraming = .lines,
        maximumLineBytes: Int = 16 << 20
    ) -> ResponseSerializer where Value == JSONLines<Element> {
        .streamed(accept: JSONLineDecoder.accept(isRecord: framing == .recordSeparators)) { _, body, context in
            body.jsonLines(
                of: type, coding: coding ?? context.coding, framing: framing, maximumLineBytes: maximumLineBytes)
        }
    }

    /// JSON values, one a line; one that cannot be decoded is handed out as a failure, and the stream goes on.
    public static func jsonLineResults<Element: Decodable & Sendable>(
        of type: Element.Type, coding: JSONCoding? = nil,
        framing: JSONFraming = .lines, maximumLineBytes: Int = 16 << 20
    ) -> ResponseSerializer where Value == JSONLines<Result<Element, NetError>> {
        .streamed(accept: JSONLineDecoder.accept(isRecord: framing == .recordSeparators)) { _, body, context in
            body.jsonLineResults(
                of: type, coding: coding ?? context.coding, framing: framing, maximumLineBytes: maximumLineBytes)
        }
    }
}

extension ResponseSerializer {
    /// JSON values, one a line, with the client's coders; the first that cannot be decoded ends the stream.
    public static func jsonLines<Element: Decodable & Sendable>() -> ResponseSerializer
    where Value == JSONLines<Element> {
        jsonLines(of: Element.self)
    }
}

/// Decodes one line, or one record of a sequence.
struct JSONLineDecoder {
    let coding: JSONCoding
    let isRecord: Bool

    func decode<Value: Decodable>(_ type: Value.Type, _ line: Bytes, _ number: Int) throws(NetError) -> Value {
        let what = isRecord ? "record" : "line"
        if isRecord, mayBeCutOff(line) {
            throw NetError(.decoding, phase: .decoding, message: "\(what) \(number) is cut off: it has no line end")
        }
        do {
            return try coding.decode(type, from: line)
        } catch {
            throw NetError(
                .decoding, phase: .decoding,
                message: "\(what) \(number) is no \(type): \(DecodingFailure.describe(error))",
                underlying: error)
        }
    }

    /// A number that is cut off is a number too: only a blank after it tells that it is whole. Objects, lists and texts have
    /// ends of their own (RFC 7464 section 2.4).
    private func mayBeCutOff(_ record: Bytes) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
        guard let last = record.last, !isBlank(last), let first = record.first(where: { !isBlank($0) }) else {
            return false
        }
        return !"{[\"".utf8.contains(first)
    }

    static func accept(isRecord: Bool) -> String {
        isRecord ? "application/json-seq" : "application/jsonl, application/x-ndjson"
    }
}
