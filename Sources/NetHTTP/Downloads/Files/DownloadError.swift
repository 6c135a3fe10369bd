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
    /// One sentence for people, without secrets: what failed, and what to do about it.
    public let message: String
    /// The error of the last failed call; nil if no call failed.
    public let underlying: NetError?
    /// The redacted URL; nil if the error isn't related to one.
    public let url: String?
    /// The status of the response that wasn't accepted; nil if there was none.
    public let status: Int?
    /// The required and the available space; nil except for `.insufficientDiskSpace`, and if unknown.
    public let room: Room?
    /// The system's error number of a failed file operation; nil if none failed.
    public let systemError: Int32?
    /// The task that transfers the file already; nil except for `.alreadyQueued`.
    public let taskID: UUID?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: One sentence for people. Must not contain secrets.
    ///   - url: The unredacted URL; the error keeps only the redacted text.
    ///   - status: The status of the response that wasn't accepted.
    ///   - room: The required and the available space.
    ///   - systemError: The system's error number.
    ///   - taskID: The task that transfers the file already.
    ///   - underlying: The error of the last failed call.
    public init(
        _ code: Code, message: String, url: String? = nil, status: Int? = nil, room: Room? = nil,
        systemError: Int32? = nil, taskID: UUID? = nil, underlying: NetError? = nil
    ) {
        self.code = code
        self.message = message
        self.url = url.map { RedactionPolicy.safeDefault.redact(url: $0) }
        self.status = status ?? underlying?.status
        self.room = room
        self.systemError = systemError
        self.taskID = taskID
        self.underlying = underlying
    }

    /// Returns the error with a URL added if it has none.
    package func filling(url: String) -> DownloadError {
        guard self.url == nil else { return self }
        return DownloadError(
            code, message: message, url: url, status: status, room: room, systemError: systemError, taskID: taskID,
            underlying: underlying)
    }
}

extension DownloadError {
    /// The space on a disk, in bytes.
    public struct Room: Sendable, Hashable, Codable {
        /// The required space, including the space to keep free.
        public let required: Int64
        /// The available space.
        public let available: Int64

        public init(required: Int64, available: Int64) {
            self.required = required
            self.available = available
        }
    }

    /// True if the download was cancelled or paused.
    public var isCancellation: Bool { code == .cancelled || underlying?.isCancellation == true }
    /// True if the last call failed because of a timeout.
    public var isTimeout: Bool { underlying?.isTimeout == true }
    /// True if the server couldn't be reached or the connection was lost.
    public var isConnectivity: Bool { underlying?.isConnectivity == true }
    /// The bytes to free before the download can continue; nil if unknown.
    public var missingBytes: Int64? { room.map { max(0, $0.required - $0.available) } }
}

extension DownloadError: CustomStringConvertible, CustomReflectable, SecretlessError, LocalizedError {
    /// The code, the message and the URL: `wrongLength: … (https://host/path)`.
    public var description: String { "\(code): \(message)" + (url.map { " (\($0))" } ?? "") }
    /// The description.
    public var errorDescription: String? { description }
    /// The message without the code and the URL.
    public var failureReason: String? { message }

    /// The values, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["error": description, "underlying": underlying as Any, "room": room as Any])
    }
}
