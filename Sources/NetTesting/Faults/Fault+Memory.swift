internal import HTTPTypes
package import NetCore

/// What a fault is where there is no wire: an error of a kind and at a place.
package struct FaultError: Sendable {
    package let code: NetError.Code
    package let phase: NetError.Phase
    package let message: String
}

extension Fault {
    /// The error in place of a response; nil when at least a head arrives.
    var failureBeforeHead: FaultError? {
        switch self {
        case .unknownHost:
            FaultError(code: .dns, phase: .resolving, message: "the host has no address")
        case .refused:
            FaultError(code: .connect, phase: .connecting, message: "the connection was refused")
        case .tls(let fault):
            FaultError(code: .tls, phase: .securing, message: "the TLS handshake failed: \(fault.rawValue)")
        case .drop(let drop) where drop.bodyLimit == nil && drop.form != .stall:
            FaultError(
                code: .connectionLost, phase: .waiting,
                message: "the connection ended before the head of the response was whole")
        case .contentLength(.doubled), .contentLength(.malformed):
            FaultError(code: .invalidFraming, phase: .waiting, message: "the length cannot be trusted: \(self)")
        case .headerBomb:
            FaultError(code: .headersTooLarge, phase: .waiting, message: "the head is too large: \(self)")
        case .endlessInformational:
            FaultError(
                code: .tooManyInterimResponses, phase: .waiting, message: "interim responses without end: \(self)")
        default: nil
        }
    }

    /// The error at the end of a body that is there in part; nil when it ends in order or stands still.
    func failureInBody(after count: Int64) -> FaultError? {
        switch self {
        case .drop(let drop) where drop.form != .stall:
            FaultError(
                code: .connectionLost, phase: .receiving,
                message: "the connection ended after \(count) bytes of the body")
        case .truncatedGzip:
            FaultError(
                code: .decoding, phase: .receiving, message: "the body's gzip stream breaks off after \(count) bytes")
        case .badChunk:
            FaultError(
                code: .invalidFraming, phase: .receiving,
                message: "the body is not chunked as it says after \(count) bytes: \(self)")
        case .endlessTrailers:
            FaultError(
                code: .headersTooLarge, phase: .receiving,
                message: "the trailers are too large after \(count) bytes: \(self)")
        default: nil
        }
    }

    /// Whether nothing more comes after ``bodyLimit(of:)``.
    var isStalling: Bool {
        if case .drop(let drop) = self { drop.form == .stall } else { false }
    }

    /// How much of a body of a length arrives.
    func bodyLimit(of length: Int64?) -> Int64 {
        switch self {
        case .drop(let drop): drop.bodyLimit ?? 0
        case .badChunk, .truncatedGzip, .contentLength(.tooShort): length.map { $0 / 2 } ?? 0
        default: .max
        }
    }

    /// The pause before each byte of a body.
    var pausePerByte: Duration? {
        if case .slowDrip(let pause) = self { pause } else { nil }
    }
}

extension StubResponse {
    /// The response as far as a fault is in its head alone: a redirect loop, or a length that is not the body's.
    package func applyingHeadFault(target: String, bodyLength: Int64?) -> StubResponse {
        var copy = self
        switch fault {
        case .redirectLoop:
            copy.status = .found
            copy.headers[.location] = target
        case .contentLength(.tooLong):
            copy.headers[.contentLength] = String((bodyLength ?? 0) + 10)
        case .contentLength(.tooShort):
            copy.headers[.contentLength] = String((bodyLength ?? 0) / 2)
        case .truncatedGzip:
            copy.headers[.contentEncoding] = "gzip"
        default: break
        }
        return copy
    }
}
