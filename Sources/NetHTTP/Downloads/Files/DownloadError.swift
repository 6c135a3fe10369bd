public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a download: what happened, to which file or URL, and what to do.
///
/// `code` is an open set: compare it with the constants and keep a `default`. URLs are redacted when the error is
/// created, so no description contains a secret.
///
///     func advice(for error: DownloadError) -> String {
///         switch error.code {
///         case .insufficientDiskSpace: "free \(error.missingBytes ?? 0) bytes, then resume"
///         case .network: "resume when the network is back"
///         default: error.message
///         }
///     }
public struct DownloadError: Error, Sendable {
    /// The kind of the error.
    public let code: Code
    /// One sentence for a person, without secrets: what was found, and what to do about it.
    public let message: String
    /// The error of the call that failed last; nil if no call failed.
    public let underlying: NetError?
    /// The redacted URL; nil if the error doesn't belong to one.
    public let url: String?
    /// The status of the response that wasn't accepted; nil if there was none.
    public let status: Int?
    /// The room that is needed, and the room that there is; nil except for `.insufficientDiskSpace`, and if unknown.
    public let room: Room?
    /// The system's error number of a file operation that failed; nil if none did.
    public let systemError: Int32?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: One sentence for a person. Must not contain secrets.
    ///   - url: The URL as it is; the error keeps only the redacted text.
    ///   - status: The status of the response that wasn't accepted.
    ///   - room: The room that is needed, and the room that there is.
    ///   - systemError: The system's error number.
    ///   - underlying: The error of the call that failed last.
    public init(
        _ code: Code, message: String, url: String? = nil, status: Int? = nil, room: Room? = nil,
        systemError: Int32? = nil, underlying: NetError? = nil
    ) {
        self.code = code
        self.message = message
        self.url = url.map { RedactionPolicy.safeDefault.redact(url: $0) }
        self.status = status ?? underlying?.status
        self.room = room
        self.systemError = systemError
        self.underlying = underlying
    }

    /// Returns the error with a URL, if it has none.
    package func filling(url: String) -> DownloadError {
        guard self.url == nil else { return self }
        return DownloadError(
            code, message: message, url: url, status: status, room: room, systemError: systemError,
            underlying: underlying)
    }
}

extension DownloadError {
    /// The room on a disk, in bytes.
    public struct Room: Sendable, Hashable, Codable {
        /// What is needed, with what is kept free.
        public let required: Int64
        /// What is free.
        public let available: Int64

        public init(required: Int64, available: Int64) {
            self.required = required
            self.available = available
        }
    }

    /// True if the download was cancelled or paused.
    public var isCancellation: Bool { code == .cancelled || underlying?.isCancellation == true }
    /// True if a timeout of the last call passed.
    public var isTimeout: Bool { underlying?.isTimeout == true }
    /// True if the server couldn't be reached or the connection was lost.
    public var isConnectivity: Bool { underlying?.isConnectivity == true }
    /// The bytes to free before the download can go on; nil if unknown.
    public var missingBytes: Int64? { room.map { max(0, $0.required - $0.available) } }
}

extension DownloadError: CustomStringConvertible, CustomReflectable, SecretlessError, LocalizedError {
    /// The code, message and URL: `wrongLength: … (https://host/path)`.
    public var description: String { "\(code): \(message)" + (url.map { " (\($0))" } ?? "") }
    /// The description.
    public var errorDescription: String? { description }
    /// The message without the context.
    public var failureReason: String? { message }

    /// The values without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["error": description, "underlying": underlying as Any, "room": room as Any])
    }
}
