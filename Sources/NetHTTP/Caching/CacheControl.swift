public import HTTPTypes
internal import NetCore

/// The directives of a `Cache-Control` header, of a request or of a response (RFC 9111 section 5.2, RFC 5861, RFC
/// 8246).
///
/// Any text can be parsed. Names are case-insensitive, and arguments may be quoted or not. If a directive occurs
/// twice, the first one counts. An invalid number counts as zero; a number above 2^31 counts as 2^31. Unknown
/// directives are kept in ``extensions``.
///
///     let control = CacheControl("max-age=60, stale-while-revalidate=30, private=\"Set-Cookie\"")
///     print(control.maxAge ?? 0, control.staleWhileRevalidate ?? 0, control.privateFields)
public struct CacheControl: Sendable, Hashable {
    /// One directive as written.
    public struct Directive: Sendable, Hashable {
        /// The name, lower-cased.
        public let name: String
        /// The argument without its quotes; nil if the directive has none.
        public let argument: String?
        /// True if the argument is neither a token nor a quoted string.
        public let isMalformed: Bool
    }

    /// The value, in seconds, that replaces larger numbers.
    public static let maximumSeconds: Int64 = 1 << 31

    private struct Flags: OptionSet, Sendable, Hashable {
        let rawValue: UInt16
        static let noStore = Flags(rawValue: 1)
        static let noCache = Flags(rawValue: 2)
        static let noTransform = Flags(rawValue: 4)
        static let onlyIfCached = Flags(rawValue: 8)
        static let mustRevalidate = Flags(rawValue: 16)
        static let proxyRevalidate = Flags(rawValue: 32)
        static let mustUnderstand = Flags(rawValue: 64)
        static let isPrivate = Flags(rawValue: 128)
        static let isPublic = Flags(rawValue: 256)
        static let immutable = Flags(rawValue: 512)
    }

    private var flags: Flags = []
    /// `max-age` in seconds.
    public private(set) var maxAge: Int64?
    /// `s-maxage` in seconds.
    public private(set) var sharedMaxAge: Int64?
    /// `max-stale` in seconds; ``maximumSeconds`` if the directive has no argument.
    public private(set) var maxStale: Int64?
    /// `min-fresh` in seconds.
    public private(set) var minFresh: Int64?
    /// `stale-while-revalidate` in seconds.
    public private(set) var staleWhileRevalidate: Int64?
    /// `stale-if-error` in seconds.
    public private(set) var staleIfError: Int64?
    /// The fields that `no-cache` names, lower-cased.
    public private(set) var noCacheFields: [String] = []
    /// The fields that `private` names, lower-cased.
    public private(set) var privateFields: [String] = []
    /// The directives that this type doesn't know.
    public private(set) var extensions: [Directive] = []

    /// No directives.
    public init() {}

    /// Parses a header value; the values of several lines are joined by commas.
    public init(_ text: String) {
        for directive in Self.directives(text) { add(directive) }
    }

    /// Parses the `Cache-Control` header. In a request without one, `Pragma: no-cache` counts instead (RFC 9111
    /// section 5.4).
    public init(_ headers: HTTPFields, isRequest: Bool = false) {
        if let text = headers[.cacheControl] {
            self.init(text)
        } else {
            self.init()
            let pragma = isRequest ? headers[.pragma]?.lowercased() : nil
            if let pragma, Self.directives(pragma).contains(where: { $0.name == "no-cache" }) {
                flags.insert(.noCache)
            }
        }
    }

    /// No part of the message may be stored.
    public var noStore: Bool { flags.contains(.noStore) }
    /// The response must be validated before each use. False for a `no-cache` that only names ``noCacheFields``.
    public var noCache: Bool { flags.contains(.noCache) }
    /// The body may not be changed.
    public var noTransform: Bool { flags.contains(.noTransform) }
    /// Only a stored response is wanted.
    public var onlyIfCached: Bool { flags.contains(.onlyIfCached) }
    /// The response must never be served stale.
    public var mustRevalidate: Bool { flags.contains(.mustRevalidate) }
    /// A shared cache must never serve the response stale.
    public var proxyRevalidate: Bool { flags.contains(.proxyRevalidate) }
    /// A cache that understands the status may store the response.
    public var mustUnderstand: Bool { flags.contains(.mustUnderstand) }
    /// The response is for one user. False for a `private` that only names ``privateFields``.
    public var isPrivate: Bool { flags.contains(.isPrivate) }
    /// Any cache may store the response.
    public var isPublic: Bool { flags.contains(.isPublic) }
    /// True if a shared cache may keep the response to a request with credentials (RFC 9111 section 3.5).
    var allowsSharing: Bool { isPublic || sharedMaxAge != nil || mustRevalidate }
    /// The response doesn't change while it's fresh.
    public var immutable: Bool { flags.contains(.immutable) }

    /// Returns the directives of a header value in their order.
    public static func directives(_ text: String) -> [Directive] {
        var reader = FieldValueReader(text)
        var directives: [Directive] = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            if let name = reader.token()?.lowercased() { directives.append(argument(of: name, &reader)) }
            reader.skipElement()
            _ = reader.skip(",")
        }
        return directives
    }

    private static func argument(of name: String, _ reader: inout FieldValueReader) -> Directive {
        var argument: String?
        var isMalformed = false
        if reader.skip("=") {
            let start = reader
            argument = reader.quotedString()
            if argument == nil {
                reader = start
                // An unterminated quote hides nothing of the text after it, which may contain a `no-store`.
                isMalformed = reader.skip("\"")
                argument = reader.token()
                isMalformed = isMalformed || argument == nil
            }
        }
        reader.skipBlanks()
        return Directive(name: name, argument: argument, isMalformed: isMalformed || !reader.isAtElementEnd)
    }

    private mutating func add(_ directive: Directive) {
        switch directive.name {
        case "no-store": flags.insert(.noStore)
        case "no-transform": flags.insert(.noTransform)
        case "only-if-cached": flags.insert(.onlyIfCached)
        case "must-revalidate": flags.insert(.mustRevalidate)
        case "proxy-revalidate": flags.insert(.proxyRevalidate)
        case "must-understand": flags.insert(.mustUnderstand)
        case "public": flags.insert(.isPublic)
        case "immutable": flags.insert(.immutable)
        case "no-cache":
            if let names = Self.names(directive) { noCacheFields += names } else { flags.insert(.noCache) }
        case "private":
            if let names = Self.names(directive) { privateFields += names } else { flags.insert(.isPrivate) }
        case "max-age": maxAge = maxAge ?? Self.seconds(directive)
        case "s-maxage": sharedMaxAge = sharedMaxAge ?? Self.seconds(directive)
        case "max-stale":
            let isBare = directive.argument == nil && !directive.isMalformed
            maxStale = maxStale ?? (isBare ? Self.maximumSeconds : Self.seconds(directive))
        // An invalid number requests the most.
        case "min-fresh": minFresh = minFresh ?? Self.number(directive) ?? Self.maximumSeconds
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(directive)
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(directive)
        default: extensions.append(directive)
        }
    }

    /// The header fields that the directive names; nil if it applies to the whole response.
    private static func names(_ directive: Directive) -> [String]? {
        guard let argument = directive.argument, !directive.isMalformed else { return nil }
        let names = argument.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        return names.isEmpty || !names.allSatisfy(FieldValueReader.isToken) ? nil : names
    }

    private static func number(_ directive: Directive) -> Int64? {
        directive.isMalformed ? nil : directive.argument.flatMap { deltaSeconds($0) }
    }

    private static func seconds(_ directive: Directive) -> Int64 { number(directive) ?? 0 }

    /// Parses seconds as specified in RFC 9111 section 1.2.2: digits only, at most ``maximumSeconds``; nil for
    /// anything else.
    static func deltaSeconds(_ text: some StringProtocol) -> Int64? {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        return digits.reduce(Int64(0)) { min($0 * 10 + Int64($1 - 48), maximumSeconds) }
    }
}
