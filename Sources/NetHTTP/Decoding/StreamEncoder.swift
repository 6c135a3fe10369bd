internal import NetCore

/// Writes one body in a content coding.
protocol StreamEncoder: ~Copyable {
    /// What the next bytes become, with the end of the stream after the last; may be empty, since encoders wait for more.
    mutating func encode(_ bytes: Bytes, isLast: Bool) throws(CodingFailure) -> Bytes
}
