public import NetCore

/// The captured headers and bodies of one attempt, redacted.
public struct StoredExchange: Sendable, Hashable {
    /// A header field or trailer field.
    public struct Field: Sendable, Hashable {
        /// The name as sent.
        public var name: String
        /// The value.
        public var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The captured part of a body.
    public struct Body: Sendable, Hashable {
        /// The captured bytes.
        public var bytes: Bytes
        /// The size of the whole body; nil if it isn't known.
        public var size: Int64?
        /// True if ``bytes`` isn't the whole body.
        public var isCut: Bool
        /// The path of the file that was sent as the whole body; nil for any other body.
        package var file: String?

        package init(bytes: Bytes, size: Int64?, isCut: Bool, file: String? = nil) {
            self.bytes = bytes
            self.size = size
            self.isCut = isCut
            self.file = file
        }
    }

    /// The number of the attempt.
    public var number: Int
    /// The status; nil if no response head was received.
    public var status: Int?
    /// The headers of the request; empty if they weren't captured.
    public var requestHeaders: [Field]
    /// The body of the request; nil if it wasn't captured.
    public var request: Body?
    /// The headers of the response; empty if they weren't captured.
    public var responseHeaders: [Field]
    /// The body of the response; nil if it wasn't captured.
    public var response: Body?
    /// The trailers of the response.
    public var trailers: [Field]
    /// The times and sizes of the pieces of a streamed response; empty for any other response.
    package var pieces: [PieceTime]

    /// The time between the previous piece and this one, and its size.
    package struct PieceTime: Sendable, Hashable {
        package var delay: Duration
        package var count: Int
    }

    package init(
        number: Int, status: Int? = nil, requestHeaders: [Field] = [], request: Body? = nil,
        responseHeaders: [Field] = [], response: Body? = nil, trailers: [Field] = [], pieces: [PieceTime] = []
    ) {
        self.number = number
        self.status = status
        self.requestHeaders = requestHeaders
        self.request = request
        self.responseHeaders = responseHeaders
        self.response = response
        self.trailers = trailers
        self.pieces = pieces
    }
}

extension StoredExchange {
    /// Returns only the headers, in order, without bodies or their sizes.
    static func heads(of call: CallID, on connection: SQLiteConnection) throws(StoreError) -> [StoredExchange] {
        let sql = """
            SELECT number, status, request_fields, response_fields, trailers FROM net_capture WHERE call = ? ORDER BY number
            """
        var exchanges: [StoredExchange] = []
        try connection.rows(sql, [.blob(call.bytes)]) { row throws(StoreError) in
            exchanges.append(
                StoredExchange(
                    number: row.int(0) ?? 0, status: row.int(1), requestHeaders: fields(row.text(2)),
                    responseHeaders: fields(row.text(3)), trailers: fields(row.text(4))))
        }
        return exchanges
    }

    static func all(of call: CallID, on connection: SQLiteConnection) throws(StoreError) -> [StoredExchange] {
        let file = try connection.hasVersion3() ? "c.request_file" : "NULL"
        let sql = """
            SELECT c.number, c.status, c.request_fields, c.request_size, c.request_is_cut, q.is_compressed, q.data,
                c.response_fields, c.response_size, c.response_is_cut, s.is_compressed, s.data, c.trailers, c.pieces,
                \(file)
            FROM net_capture AS c LEFT JOIN net_body AS q ON q.id = c.request_body
                LEFT JOIN net_body AS s ON s.id = c.response_body
            WHERE c.call = ? ORDER BY c.number
            """
        var exchanges: [StoredExchange] = []
        try connection.query(sql, [.blob(call.bytes)]) { row throws(StoreError) in
            var request = try Body(row, at: 3)
            request?.file = row.text(14)
            exchanges.append(
                StoredExchange(
                    number: row.int(0) ?? 0, status: row.int(1), requestHeaders: fields(row.text(2)),
                    request: request, responseHeaders: fields(row.text(7)), response: try Body(row, at: 8),
                    trailers: fields(row.text(12)), pieces: pieces(row.text(13))))
        }
        return exchanges
    }

    /// Returns headers as lines `name: value`; nil if there are none. Names and values contain no line breaks (RFC 9110
    /// section 5.5).
    static func text(_ fields: [(name: String, value: String)]) -> String? {
        fields.isEmpty ? nil : fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// Returns the pieces as JSON, `[[microseconds since the previous piece, bytes], …]`; nil if there are none.
    static func times(_ pieces: [PieceTime]) -> String? {
        guard !pieces.isEmpty else { return nil }
        return "[" + pieces.map { "[\(StoredTime.microseconds(of: $0.delay)),\($0.count)]" }.joined(separator: ",")
            + "]"
    }

    /// Parses pieces; empty for text that isn't such a list.
    private static func pieces(_ text: String?) -> [PieceTime] {
        guard let text, let pairs = try? JSONCoding.standard.decode([[Int64]].self, from: Bytes(text.utf8)) else {
            return []
        }
        return pairs.compactMap { pair in
            guard pair.count == 2, pair[0] >= 0, let count = Int(exactly: pair[1]), count >= 0 else { return nil }
            return PieceTime(delay: .microseconds(pair[0]), count: count)
        }
    }

    private static func fields(_ text: String?) -> [Field] {
        guard let text else { return [] }
        return text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return Field(name: String(line.prefix(upTo: colon)), value: String(line.suffix(from: colon).dropFirst(2)))
        }
    }
}

extension StoredExchange.Body {
    /// Reads the size, the flags for a cut and for a compressed body, and the data.
    fileprivate init?(_ row: SQLiteRow, at column: Int32) throws(StoreError) {
        guard row.integer(column) != nil || row.blob(column + 3) != nil else { return nil }
        let data = row.blob(column + 3) ?? []
        var bytes = Bytes(data)
        if row.bool(column + 2) == true {
            guard let expanded = InflatedBody.whole(data) else { throw row.unexpected("a damaged body") }
            bytes = expanded
        }
        self.init(bytes: bytes, size: row.integer(column), isCut: row.bool(column + 1) ?? false)
    }
}
