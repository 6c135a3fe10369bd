internal import NetCore

/// Why a body could not be decoded, or a request's not encoded.
enum CodingFailure: Error, Equatable {
    case corrupt
    case truncated
    /// Bytes after the end that begin nothing further.
    case trailingBytes
    /// It asks for more memory than a content coding may.
    case windowTooLarge
    case outOfMemory

    /// The failure of a response's body in that coding.
    func error(_ coding: ContentCoding) -> NetError {
        let message =
            switch self {
            case .corrupt: "the body is not valid \(coding.rawValue), or its checksum is wrong"
            case .truncated: "the body's \(coding.rawValue) stream breaks off before its end"
            case .trailingBytes: "there are bytes after the end of the body's \(coding.rawValue) stream"
            case .windowTooLarge:
                "the body's \(coding.rawValue) stream asks for a window of more than 8 MiB, which a content coding may not "
                    + "(RFC 9659)"
            case .outOfMemory: "there is no memory left to decode the body's \(coding.rawValue)"
            }
        return NetError(.decoding, phase: .receiving, message: message, underlying: self)
    }
}
