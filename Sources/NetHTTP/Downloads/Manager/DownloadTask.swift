public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A snapshot of a download or an upload.
public struct DownloadTask: Sendable, Hashable, Identifiable {
    /// The direction of a transfer.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// From a server to a file.
        case download
        /// From a file to a server.
        case upload
    }

    /// The ID, which stays the same across pauses and restarts of the program.
    public let id: UUID
    /// The direction.
    public let kind: Kind
    /// The whole URL. ``description`` and the mirror redact it; the encoded form contains all of it.
    public internal(set) var url: String
    /// The name of the file: the requested one, or the server's once it's known. Nil before.
    public var fileName: String?
    /// The priority among waiting downloads.
    public var priority: RequestPriority
    /// The state.
    public var state: DownloadState
    /// The number of bytes in the file. For an upload, the number of bytes sent; after an interruption, those that
    /// the server has.
    public var bytes: Int64
    /// The size of the file in bytes; nil if unknown.
    public var total: Int64?
    /// The time at which it was enqueued.
    public let createdAt: Date
    /// The time at which this manager first started it; nil if it hasn't started.
    public var startedAt: Date?
    /// The time at which it was completed, failed or cancelled; nil before.
    public var endedAt: Date?
    /// The local file; nil until the transfer is complete.
    public var localURL: URL?
    /// The absolute URL from the server's `Location` for an upload; nil for a download, until the upload is complete,
    /// and if the server sent none. Not redacted, like ``url``.
    public var location: String?
    /// The error with which the transfer, or its last attempt, failed; nil if it hasn't.
    public var error: DownloadError?
    /// The number of attempts since bytes have last arrived, counted from 1; 0 if it hasn't started.
    public var attempt: Int

    init(id: UUID, request: DownloadRequest, kind: Kind = .download, createdAt: Date) {
        self.id = id
        self.kind = kind
        url = request.url
        fileName = request.fileName
        priority = request.priority
        state = .queued
        bytes = 0
        self.createdAt = createdAt
        attempt = 0
    }

    /// The name of the file, or the redacted URL if there is none yet.
    public var name: String { fileName ?? Printed.url(url) }

    public static func == (left: DownloadTask, right: DownloadTask) -> Bool { left.values == right.values }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension DownloadTask: Codable {
    /// The encodable and comparable form: an error consists of its code and its message.
    private struct Values: Codable, Equatable {
        struct Failure: Codable, Equatable {
            var code: String
            var message: String
        }

        var id: UUID
        var kind: Kind?
        var url: String
        var fileName: String?
        var priority: RequestPriority
        var state: DownloadState
        var bytes: Int64
        var total: Int64?
        var createdAt: Date
        var startedAt: Date?
        var endedAt: Date?
        var localURL: URL?
        var location: String?
        var error: Failure?
        var attempt: Int
    }

    private var values: Values {
        Values(
            id: id, kind: kind, url: url, fileName: fileName, priority: priority, state: state, bytes: bytes,
            total: total,
            createdAt: createdAt, startedAt: startedAt, endedAt: endedAt, localURL: localURL, location: location,
            error: error.map { .init(code: $0.code.rawValue, message: $0.message) }, attempt: attempt)
    }

    public init(from decoder: any Decoder) throws {
        let values = try Values(from: decoder)
        (id, kind) = (values.id, values.kind ?? .download)
        (url, fileName, priority) = (values.url, values.fileName, values.priority)
        (state, bytes, total, attempt) = (values.state, values.bytes, values.total, values.attempt)
        (createdAt, startedAt, endedAt) = (values.createdAt, values.startedAt, values.endedAt)
        (localURL, location) = (values.localURL, values.location)
        error = values.error.map { DownloadError(DownloadError.Code(rawValue: $0.code), message: $0.message) }
    }

    public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

extension DownloadTask: CustomStringConvertible, CustomReflectable {
    /// `report.pdf: downloading, 10 of 40 B`, without secrets.
    public var description: String {
        "\(name): \(state), \(bytes)" + (total.map { " of \($0)" } ?? "") + " B"
    }

    /// The properties without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "kind": kind, "url": Printed.url(url), "fileName": fileName as Any,
                "priority": priority.rawValue,
                "state": state, "bytes": bytes, "total": total as Any, "createdAt": createdAt,
                "startedAt": startedAt as Any, "endedAt": endedAt as Any, "localURL": localURL as Any,
                "location": location.map(Printed.url) as Any, "error": error as Any, "attempt": attempt,
            ], displayStyle: .struct)
    }
}
