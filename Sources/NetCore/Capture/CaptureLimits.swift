/// How much of bodies and messages a listener wants to have captured, and of which types (``ActivityInterest/bodies``,
/// ``ActivityInterest/socketMessages``).
///
///     struct Everything: ActivityListener {
///         var interest: ActivityInterest { [.calls, .bodies] }
///         var captureLimits: CaptureLimits { CaptureLimits(bodyBytes: 1 << 20, mediaTypes: ["*/*"]) }
///         func record(_ event: ActivityEvent) {}
///         func record(_ attempt: CapturedAttempt) { print(attempt) }
///     }
public struct CaptureLimits: Sendable, Hashable {
    /// The maximum number of bytes that are kept of each body and each message. Default 64 KiB. The rest is counted.
    public var bodyBytes: Int
    /// The media types of bodies that are kept, in lower case: `text/html`, all of a kind (`image/*`), all with a suffix
    /// (`+json`), or `*/*` for everything, bodies without a type included. Default ``textTypes``. They don't concern
    /// messages of WebSockets.
    public var mediaTypes: Set<String>

    /// Creates limits.
    public init(bodyBytes: Int = 64 << 10, mediaTypes: Set<String> = CaptureLimits.textTypes) {
        self.bodyBytes = bodyBytes
        self.mediaTypes = mediaTypes
    }

    /// Text, JSON, XML, and forms, those in several parts included.
    public static let textTypes: Set<String> = [
        "text/*", "+json", "+xml", "application/json", "application/xml", "application/x-www-form-urlencoded",
        "multipart/form-data", "application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/json-seq", "application/javascript", "application/graphql",
    ]

    /// Nothing of any body.
    static let none = CaptureLimits(bodyBytes: 0, mediaTypes: [])

    /// Returns the limits that satisfy both.
    func union(_ other: CaptureLimits) -> CaptureLimits {
        CaptureLimits(bodyBytes: max(bodyBytes, other.bodyBytes), mediaTypes: mediaTypes.union(other.mediaTypes))
    }

    /// Returns the number of bytes that are kept of a body with that `Content-Type`.
    func bytes(of contentType: String?) -> Int {
        guard bodyBytes > 0 else { return 0 }
        if mediaTypes.contains("*/*") { return bodyBytes }
        return contentType.map { keeps(Self.essence($0)) } ?? false ? bodyBytes : 0
    }

    private func keeps(_ type: String) -> Bool {
        if mediaTypes.contains(type) { return true }
        if let slash = type.utf8.firstIndex(of: UInt8(ascii: "/")), mediaTypes.contains(type[..<slash] + "/*") {
            return true
        }
        guard let plus = type.utf8.lastIndex(of: UInt8(ascii: "+")) else { return false }
        return mediaTypes.contains(String(type[plus...]))
    }

    /// Returns the type without its parameters, in lower case.
    static func essence(_ contentType: String) -> String {
        if contentType.utf8.allSatisfy({ $0 > 32 && $0 != UInt8(ascii: ";") && !(65...90).contains($0) }) {
            return contentType
        }
        return contentType.prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
