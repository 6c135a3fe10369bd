public import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored response without its body: the data for a cache's decisions.
public struct CacheEntry: Sendable {
    /// Identifies an entry within a store.
    public struct ID: Sendable, Hashable {
        /// Random bits.
        public let rawValue: UInt64
        /// Creates an ID from its bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// The treatment of `Content-Encoding` before the body was stored.
    enum Coding: UInt8, Sendable, Hashable {
        /// The body had no content coding.
        case none
        /// The body was decoded.
        case decoded
        /// The body is stored encoded.
        case coded
    }

    /// A part of a representation, received with a 206.
    struct Part: Sendable, Hashable {
        /// The part's position; nil if the server contradicted itself. Such a part matches only a request with the
        /// same `Range`.
        let range: ContentRange?
        /// The request's `Range`.
        let requested: String
    }

    /// The entry's ID.
    public let id: ID
    /// The key that the entry is stored under.
    public internal(set) var key: CacheKey
    /// The status.
    public let status: HTTPResponse.Status
    /// The protocol version with which the response arrived; empty if it's unknown.
    public internal(set) var version = ""
    /// The headers, without those of the connection.
    public internal(set) var headers: HTTPFields { didSet { facts = Facts(headers) } }
    /// The time at which the head arrived, by the wall clock.
    public var responseDate: Date { arrival.date }
    /// The tags of the request.
    public let tags: [String]
    /// The length of the stored body. The store sets it when the body is complete; zero until then.
    public var bodyLength: Int64 = 0
    var arrival: Arrival
    let selection: VarySelection
    let coding: Coding
    let part: Part?
    /// The SHA-256 of the body, if the store keeps one.
    var digest = Bytes()
    /// The body, if it was read along with the head.
    var body: Bytes?
    /// True if the entry must be validated even while it's fresh, because a later response contradicts it.
    var isOutdated = false
    /// The values parsed from the headers.
    private(set) var facts: Facts

    init(
        id: ID, key: CacheKey, status: HTTPResponse.Status, headers: HTTPFields, arrival: Arrival,
        tags: [String], selection: VarySelection, coding: Coding, part: Part?
    ) {
        self.id = id
        self.key = key
        self.status = status
        self.headers = headers
        self.arrival = arrival
        self.tags = tags
        self.selection = selection
        self.coding = coding
        self.part = part
        facts = Facts(headers)
    }

    /// Header values, parsed once.
    struct Facts: Sendable {
        let control: CacheControl
        /// `Date`; nil if it's absent or invalid.
        let date: Date?
        /// `Expires`: nil if it's absent, the distant past if it's invalid.
        let expires: Date?
        /// `Age` in seconds.
        let age: Int64
        let lastModified: Date?
        let eTag: String?

        init(_ headers: HTTPFields) {
            control = CacheControl(headers)
            date = headers[.date].flatMap(CacheDate.date)
            expires = headers[.expires].map { CacheDate.date(from: $0) ?? .distantPast }
            age = Self.age(headers)
            lastModified = headers[.lastModified].flatMap(CacheDate.date)
            eTag = headers[.eTag]
        }

        /// Only the first value counts; an invalid number is ignored (RFC 9111 section 5.1).
        static func age(_ headers: HTTPFields) -> Int64 {
            guard let text = headers[.age] else { return 0 }
            let first = text.prefix { $0 != "," }.split { $0 == " " || $0 == "\t" }
            return first.count == 1 ? CacheControl.deltaSeconds(first[0]) ?? 0 : 0
        }
    }

    /// True if there is a validator for `If-None-Match` or `If-Modified-Since`.
    var hasValidator: Bool { facts.eTag != nil || headers[.lastModified] != nil }

    /// The entity tag, if it's strong: it identifies bytes, not only a meaning.
    var strongTag: String? { facts.eTag.flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") ? $0 : nil } }

    /// True if the stored bytes are those of the representation, which makes ranges of them possible.
    var hasBytesOfRepresentation: Bool { coding != .decoded }

    /// True if the stored form of the body fits the request's `decodesContent`.
    func suits(_ options: RequestOptions) -> Bool {
        switch coding {
        case .none: true
        case .decoded: options.decodesContent
        case .coded: !options.decodesContent
        }
    }

    /// The approximate size of the head in bytes.
    var headLength: Int64 {
        var count = key.url.utf8.count + key.partition.utf8.count + 256
        for field in headers { count += field.name.rawName.utf8.count + field.value.utf8.count + 16 }
        for field in selection.headers { count += field.name.utf8.count + (field.value?.utf8.count ?? 0) + 16 }
        return Int64(count)
    }
}

extension CacheEntry: CustomStringConvertible {
    /// The status and the redacted URL.
    public var description: String { "\(status.code) \(key)" }
}
