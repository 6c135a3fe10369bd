/// The limits for captured bodies and messages: how many bytes are kept, and of which types
/// (``ActivityInterest/bodies``, ``ActivityInterest/socketMessages``).
///
///     struct Everything: ActivityListener {
///         var interest: ActivityInterest { [.calls, .bodies] }
///         var captureLimits: CaptureLimits { CaptureLimits(bodyBytes: 1 << 20, mediaTypes: ["*/*"]) }
///         func record(_ event: ActivityEvent) {}
///         func record(_ attempt: CapturedAttempt) { print(attempt) }
///     }
public struct CaptureLimits: Sendable, Hashable {
    /// The maximum number of bytes kept of each body and each message. Default 64 KiB. The rest is only counted.
    public var bodyBytes: Int
    /// The media types of bodies that are kept, in lowercase: `text/html`, all types of a kind (`image/*`), all types
    /// with a suffix (`+json`), or `*/*` for everything, including bodies without a type. Default ``textTypes``. They
    /// don't apply to WebSocket messages.
    public var mediaTypes: Set<String>

    /// Creates limits.
    public init(bodyBytes: Int = 64 << 10, mediaTypes: Set<String> = CaptureLimits.textTypes) {
        self.bodyBytes = bodyBytes
        self.mediaTypes = mediaTypes
    }

    /// Text, JSON, XML and forms, including multipart forms.
    public static let textTypes: Set<String> = [
        "text/*", "+json", "+xml", "application/json", "application/xml", "application/x-www-form-urlencoded",
        "multipart/form-data", "application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/json-seq", "application/javascript", "application/graphql",
    ]

    /// Limits that keep no bytes of any body.
    static let none = CaptureLimits(bodyBytes: 0, mediaTypes: [])

    /// Returns the combined limits, which cover both.
    func union(_ other: CaptureLimits) -> CaptureLimits {
        CaptureLimits(bodyBytes: max(bodyBytes, other.bodyBytes), mediaTypes: mediaTypes.union(other.mediaTypes))
    }

    /// Returns the number of bytes kept of a body with this `Content-Type`.
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

    /// Returns the type without its parameters, in lowercase.
    static func essence(_ contentType: String) -> String {
        if contentType.utf8.allSatisfy({ $0 > 32 && $0 != UInt8(ascii: ";") && !(65...90).contains($0) }) {
            return contentType
        }
        return contentType.prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
