package import NetCore

/// Encodes one compressed stream incrementally.
package protocol StreamEncoder: ~Copyable {
    /// Encodes the next bytes; the last call also ends the stream. The result may be empty, since encoders buffer.
    mutating func encode(_ bytes: Bytes, isLast: Bool) throws(CodingFailure) -> Bytes
}
