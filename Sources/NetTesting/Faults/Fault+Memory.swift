internal import HTTPTypes
package import NetCore

/// The equivalent of a fault in memory: an error with a code and a phase.
package struct FaultError: Sendable {
    package let code: NetError.Code
    package let phase: NetError.Phase
    package let message: String
}

extension Fault {
    /// The error instead of a response; nil if at least a head arrives.
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
                code: .tooManyInterimResponses, phase: .waiting, message: "endless interim responses: \(self)")
        default: nil
        }
    }

    /// The error at the end of a partial body; nil if the body ends normally or stalls.
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
                message: "the body's chunked encoding is invalid after \(count) bytes: \(self)")
        case .endlessTrailers:
            FaultError(
                code: .headersTooLarge, phase: .receiving,
                message: "the trailers are too large after \(count) bytes: \(self)")
        default: nil
        }
    }

    /// True if nothing more arrives after ``bodyLimit(of:)``.
    var isStalling: Bool {
        if case .drop(let drop) = self { drop.form == .stall } else { false }
    }

    /// The number of body bytes that arrive, given the body's length.
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
    /// The response with the faults that affect only its head: a redirect loop, a wrong length or a false content
    /// coding.
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
