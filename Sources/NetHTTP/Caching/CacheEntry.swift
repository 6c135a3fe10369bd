public import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored response without its body: what a cache decides by.
public struct CacheEntry: Sendable {
    /// Tells entries of one store apart.
    public struct ID: Sendable, Hashable {
        /// Random bits.
        public let rawValue: UInt64
        /// Takes the bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// What was done with `Content-Encoding` before the body was stored.
    enum Coding: UInt8, Sendable, Hashable {
        /// There was none.
        case none
        /// It was decoded.
        case decoded
        /// It was not.
        case coded
    }

    /// A part of a representation, of a 206.
    struct Part: Sendable, Hashable {
        /// Its place; nil where the server contradicted itself. Then it answers nothing but the same request.
        let range: ContentRange?
        /// The request's `Range`.
        let requested: String
    }

    /// Which it is.
    public let id: ID
    /// What it is stored under.
    public internal(set) var key: CacheKey
    /// The status.
    public let status: HTTPResponse.Status
    /// The fields, without those of the connection.
    public internal(set) var headers: HTTPFields { didSet { facts = Facts(headers) } }
    /// When the head came, by the wall clock.
    public var responseDate: Date { arrival.date }
    /// The words that its request was tagged with.
    public let tags: [String]
    /// The length of the stored body. The store sets it when the body is complete; zero until then.
    public var bodyLength: Int64 = 0
    var arrival: Arrival
    let selection: VarySelection
    let coding: Coding
    let part: Part?
    /// The SHA-256 of the body, where a store keeps one.
    var digest = Bytes()
    /// The body, where it was read along with the head.
    var body: Bytes?
    /// Whether it must be validated, however fresh it is: something was heard that contradicts it.
    var isOutdated = false
    /// What is read of the fields once.
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

    /// What stands in the fields, read once.
    struct Facts: Sendable {
        let control: CacheControl
        /// `Date`; nil where it is absent or none.
        let date: Date?
        /// `Expires`: nil where it is absent, the distant past where it is no date.
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

        /// The first value counts; one that is no number does not (RFC 9111 section 5.1).
        static func age(_ headers: HTTPFields) -> Int64 {
            guard let text = headers[.age] else { return 0 }
            let first = text.prefix { $0 != "," }.split { $0 == " " || $0 == "\t" }
            return first.count == 1 ? CacheControl.deltaSeconds(first[0]) ?? 0 : 0
        }
    }

    /// What may stand in `If-None-Match` or `If-Modified-Since`.
    var hasValidator: Bool { facts.eTag != nil || headers[.lastModified] != nil }

    /// An entity tag that names bytes, not a meaning.
    var strongTag: String? { facts.eTag.flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") ? $0 : nil } }

    /// Whether the stored bytes are those of the representation, so that ranges can be cut out of them.
    var hasBytesOfRepresentation: Bool { coding != .decoded }

    /// Whether it can be handed to a request that wants its body decoded, or not.
    func suits(_ options: RequestOptions) -> Bool {
        switch coding {
        case .none: true
        case .decoded: options.decodesContent
        case .coded: !options.decodesContent
        }
    }

    /// About how many bytes the head takes up.
    var headLength: Int64 {
        var count = key.url.utf8.count + key.partition.utf8.count + 256
        for field in headers { count += field.name.rawName.utf8.count + field.value.utf8.count + 16 }
        for field in selection.headers { count += field.name.utf8.count + (field.value?.utf8.count ?? 0) + 16 }
        return Int64(count)
    }
}

extension CacheEntry: CustomStringConvertible {
    /// Status and redacted URL.
    public var description: String { "\(status.code) \(key)" }
}
