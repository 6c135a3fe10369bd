internal import NetCompression
internal import NetCore

extension CodingFailure {
    /// Returns the error of a response body in the given coding.
    func error(_ coding: ContentCoding) -> NetError {
        let message =
            switch self {
            case .corrupt: "the body isn't valid \(coding.rawValue), or its checksum is wrong"
            case .truncated: "the body's \(coding.rawValue) stream is truncated"
            case .trailingBytes: "the body has bytes after the end of its \(coding.rawValue) stream"
            case .windowTooLarge:
                "the body's \(coding.rawValue) stream requires a window of more than 8 MiB, the maximum for a content "
                    + "coding (RFC 9659)"
            case .outOfMemory: "out of memory while decoding the body's \(coding.rawValue)"
            }
        return NetError(.decoding, phase: .receiving, message: message, underlying: self)
    }
}
