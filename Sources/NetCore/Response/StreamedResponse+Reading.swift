/// Reading the whole body of a response, which may still be arriving.
///
///     let response = try await client.stream(GetUser(id: 7))
///     guard response.status == 200 else { return }
///     print(response[.contentType] ?? "", try await response.text())
extension StreamedResponse {
    /// Reads the body to its end and returns its bytes.
    ///
    /// - Parameter limit: The maximum number of bytes; one more ends the transfer and throws `.bodyTooLarge`. Default
    ///   64 MiB.
    public func bytes(upTo limit: Int = 64 << 20) async throws(NetError) -> Bytes {
        try await body.collect(upTo: limit)
    }

    /// Reads the body to its end as text, in the charset of `Content-Type` or in UTF-8 if it names none.
    ///
    /// Throws `.decoding` if the bytes aren't valid in that charset; `.bodyTooLarge` like ``bytes(upTo:)``.
    public func text(upTo limit: Int = 64 << 20) async throws(NetError) -> String {
        try await read(.string, limit)
    }

    /// Reads the body to its end and decodes it as JSON, with the client's ``JSONCoding``.
    ///
    /// Throws `.decoding` if the body can't be decoded as a `Value`; `.bodyTooLarge` like ``bytes(upTo:)``.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, upTo limit: Int = 64 << 20
    ) async throws(NetError) -> Value {
        try await read(.json(), limit)
    }

    /// Reads the body to its end into a file; see ``ResponseBody/write(to:)``.
    @discardableResult
    public func write(to file: some FilePathConvertible) async throws(NetError) -> Int64 {
        try await body.write(to: file)
    }

    private func read<Value: Sendable>(_ serializer: ResponseSerializer<Value>, _ limit: Int) async throws(NetError)
        -> Value
    {
        let bytes = try await body.collect(upTo: limit)
        do {
            return try serializer.convert(head, bytes, SerializationContext(coding: body.coding))
        } catch {
            throw body.filled(
                NetError(
                    .decoding, phase: .decoding,
                    message: "the response is not what \(Value.self) expects: "
                        + DecodingFailure.describe(error, head: head, body: bytes),
                    underlying: error, response: .init(head: head, body: bytes)))
        }
    }
}
