/// The reason why a compressed stream can't be decoded or encoded.
package enum CodingFailure: Error, Equatable {
    case corrupt
    case truncated
    /// Bytes after the end of the stream.
    case trailingBytes
    /// The stream requires a larger window than a content coding may have (RFC 9659).
    case windowTooLarge
    case outOfMemory
}
