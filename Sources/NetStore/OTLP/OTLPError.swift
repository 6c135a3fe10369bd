/// The error that ended an export before the end of the store. Unsettled entries are sent by the next export.
///
/// `code` is an open set: compare with the constants and keep a `default`. Errors never contain the value of a header.
public struct OTLPError: Error, Sendable, Hashable {
    /// The kind of error: an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The endpoint isn't a base URL for HTTP, a header has an invalid name or value, or a limit isn't positive.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The collector refuses all requests regardless of content, for a wrong token or path: see
        /// ``OTLPError/status``.
        public static let refused = Code(rawValue: "refused")
        /// The endpoint responded several times in a row with something other than OTLP.
        public static let notOTLP = Code(rawValue: "notOTLP")
        /// The client can't send the request: it is shut down, or a middleware failed.
        public static let client = Code(rawValue: "client")
        /// Another exporter has moved the same cursor.
        public static let cursorMoved = Code(rawValue: "cursorMoved")
        /// The exporter is already running.
        public static let busy = Code(rawValue: "busy")
        /// The store could not be read or written; see ``OTLPError/storeError``.
        public static let store = Code(rawValue: "store")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of error.
    public let code: Code
    /// One or two sentences for people: the failure, and advice.
    public let message: String
    /// The status of the collector's response; nil if there was none.
    public var status: Int?
    /// The error of the store; nil unless the code is ``Code/store``.
    public var storeError: StoreError?

    /// Creates an error.
    public init(_ code: Code, message: String, status: Int? = nil, storeError: StoreError? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.storeError = storeError
    }
}

extension OTLPError {
    init(_ error: StoreError) {
        if error.code == .cancelled {
            self = .cancelled
        } else {
            self.init(.store, message: error.message, storeError: error)
        }
    }

    static let cancelled = OTLPError(.cancelled, message: "the task was cancelled")
}

extension OTLPError: CustomStringConvertible {
    /// The code and the message, such as `refused: the collector responded with 401 …`.
    public var description: String { "\(code): \(storeError?.description ?? message)" }
}
