/// An error of an outbox: the refusal or failure, and advice.
///
/// `code` is an open set: compare with the constants and keep a `default`. Errors never contain a header or a body.
public struct OutboxError: Error, Sendable, Hashable {
    /// The kind of error: an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The request can't be stored: it's invalid, or it depends on something that exists only in memory.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The URL contains a credential, which is never stored.
        public static let credentialInURL = Code(rawValue: "credentialInURL")
        /// The body is larger than ``Outbox/Configuration/maximumBodyBytes``.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The body is a stream that can be read only once.
        public static let bodyNotReplayable = Code(rawValue: "bodyNotReplayable")
        /// The outbox has reached its maximum number of items or bytes.
        public static let full = Code(rawValue: "full")
        /// There is no item with this ID.
        public static let notFound = Code(rawValue: "notFound")
        /// The item is completed or dropped.
        public static let finished = Code(rawValue: "finished")
        /// The task was cancelled while waiting.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The file can't be opened, read or written; see ``OutboxError/storeError``.
        public static let store = Code(rawValue: "store")
    }

    /// The kind of the error.
    public let code: Code
    /// One or two sentences for people, without secrets.
    public let message: String
    /// The error of the file; nil unless the code is ``Code/store``.
    public let storeError: StoreError?

    /// Creates an error.
    public init(_ code: Code, message: String) {
        self.code = code
        self.message = message
        storeError = nil
    }

    /// Creates an error from a store error.
    public init(_ error: StoreError) {
        code = .store
        message = error.description
        storeError = error
    }

    static let cancelled = OutboxError(.cancelled, message: "the task was cancelled")

    static func notFound(_ id: OutboxItem.ID) -> OutboxError {
        OutboxError(.notFound, message: "the outbox has no item \(id); it may have been finished and forgotten")
    }
}

extension OutboxError: CustomStringConvertible {
    /// The code and the message, such as `full: the outbox has 10000 items …`.
    public var description: String { code == .store ? message : "\(code): \(message)" }
}
