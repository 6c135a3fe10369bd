internal import NetCore

/// Stops a body that decodes to far more than was received: a decompression bomb.
struct ExpansionGuard: Sendable {
    /// The most decoded bytes for each that was received; nil for no limit.
    let limit: Double?
    var received: Int64 = 0
    var decoded: Int64 = 0

    /// Small bodies are let through whatever their ratio: a kilobyte of zeros is no attack.
    private static let free: Int64 = 1 << 20

    init(limit: Double?) {
        self.limit = limit
    }

    var isExceeded: Bool {
        guard let limit, decoded > Self.free else { return false }
        return Double(decoded) > limit * Double(received)
    }

    var error: NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message:
                "\(received) bytes decode to more than \(decoded), which looks like a decompression bomb; if it is "
                + "none, raise maximumExpansion")
    }
}

extension Inflater.Failure {
    /// The failure of a body in that coding.
    func error(_ coding: ContentCoding) -> NetError {
        let message =
            switch self {
            case .corrupt: "the body is not valid \(coding.rawValue), or its checksum is wrong"
            case .truncated: "the body's \(coding.rawValue) stream breaks off before its end"
            case .trailingBytes: "there are bytes after the end of the body's \(coding.rawValue) stream"
            case .outOfMemory: "there is no memory left to decode the body's \(coding.rawValue)"
            }
        return NetError(.decoding, phase: .receiving, message: message)
    }
}
