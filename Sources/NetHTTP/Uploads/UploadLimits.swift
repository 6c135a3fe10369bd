internal import NetCore

/// A server's limits for one upload, from `Upload-Limit` and `Tus-Max-Size`.
struct UploadLimits: Sendable, Hashable, Codable {
    /// The maximum and minimum size of the file in bytes; nil for none.
    var maximumSize: Int64?
    var minimumSize: Int64?
    /// The maximum and minimum size of the body of one request; nil for none. The last request may be smaller.
    var maximumRequest: Int64?
    var minimumRequest: Int64?
    /// The time in seconds for which the server keeps the upload; nil if not specified.
    var age: Int64?

    init() {}

    /// Parses `Upload-Limit`; no limits if it's absent or malformed. Unknown members are skipped; a known one with
    /// the wrong type makes the whole header count as absent.
    init(_ head: ResponseHead) {
        guard let members = try? head.headers.structuredDictionary(.uploadLimit) else { return }
        for (key, member) in members {
            guard ["max-size", "min-size", "max-append-size", "min-append-size", "max-age", "expires"].contains(key)
            else { continue }
            guard let value = member.item?.value.integer, value >= 0 else {
                self = UploadLimits()
                return
            }
            switch key {
            case "max-size": maximumSize = value
            case "min-size": minimumSize = value
            case "max-append-size": maximumRequest = value
            case "min-append-size": minimumRequest = value
            // `expires` is the name in interop version 6.
            default: age = value
            }
        }
    }

    /// Applies the limits of a newer response; limits that it omits stay.
    mutating func take(_ newer: UploadLimits) {
        maximumSize = newer.maximumSize ?? maximumSize
        minimumSize = newer.minimumSize ?? minimumSize
        maximumRequest = newer.maximumRequest ?? maximumRequest
        minimumRequest = newer.minimumRequest ?? minimumRequest
        age = newer.age ?? age
    }

    /// Returns the reason why a file of this size can't be uploaded; nil if it can.
    func problem(size: Int64) -> String? {
        if let maximumSize, size > maximumSize {
            return "the file has \(size) bytes, and the server accepts at most \(maximumSize)"
        }
        if let minimumSize, size < minimumSize {
            return "the file has \(size) bytes, and the server accepts no fewer than \(minimumSize)"
        }
        return nil
    }
}
