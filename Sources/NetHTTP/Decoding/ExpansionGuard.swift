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
