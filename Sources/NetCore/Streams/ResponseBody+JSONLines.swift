extension ResponseBody {
    /// The JSON values of the body, one per line. The first one that can't be decoded throws and ends the sequence.
    ///
    ///     struct Tick: Decodable, Sendable { let price: Double }
    ///     for try await tick in body.jsonLines(of: Tick.self) { print(tick.price) }
    ///
    /// - Parameters:
    ///   - type: The type of each value.
    ///   - coding: The JSON coders. Default nil: those of the client that sent the request, or else
    ///     ``JSONCoding/standard``.
    ///   - framing: The way in which the values are separated. Default lines.
    ///   - maximumLineBytes: The maximum size of a line; a longer line throws `.bodyTooLarge`. Default 16 MiB.
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

    /// The JSON values of the body, one per line. A value that can't be decoded is returned as a failure, and the
    /// sequence continues.
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
    /// Creates a serializer for JSON values, one per line, as they arrive; `coding` nil uses the client's coders.
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

    /// Creates a serializer for JSON values, one per line. A value that can't be decoded is returned as a failure,
    /// and the sequence continues.
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
    /// Creates a serializer for JSON values, one per line, with the client's coders. The first one that can't be
    /// decoded ends the sequence.
    public static func jsonLines<Element: Decodable & Sendable>() -> ResponseSerializer
    where Value == JSONLines<Element> {
        jsonLines(of: Element.self)
    }
}

/// Decodes one line, or one record of a JSON text sequence.
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
                message: "\(what) \(number) can't be decoded as \(type): \(DecodingFailure.describe(error))",
                underlying: error)
        }
    }

    /// Returns true if the record may be truncated: a truncated number is still a valid number unless whitespace
    /// follows it. Objects, arrays and strings have their own end (RFC 7464 section 2.4).
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
