package import NetCore

/// Detects decompression bombs: streams that decode to far more bytes than were received.
package struct ExpansionGuard: Sendable {
    /// The maximum number of decoded bytes per received byte; nil for no limit.
    package let limit: Double?
    package var received: Int64 = 0
    package var decoded: Int64 = 0

    /// The number of decoded bytes that is allowed at any ratio: a megabyte of zeros isn't an attack.
    private static let free: Int64 = 1 << 20

    package init(limit: Double?) {
        self.limit = limit
    }

    package var isExceeded: Bool {
        guard let limit, decoded > Self.free else { return false }
        return Double(decoded) > limit * Double(received)
    }

    package var error: NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message:
                "\(received) bytes decode to more than \(decoded), which looks like a decompression bomb; if it "
                + "isn't one, raise maximumExpansion")
    }
}
