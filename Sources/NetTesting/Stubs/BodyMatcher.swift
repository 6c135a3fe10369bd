public import NetCore

/// The condition for a request's body.
///
///     let stubs = [
///         Stub(.post, "/orders", .status(.created)).body(.json(subset: ["customer": ["id": 7]])),
///         Stub(.post, "/login", .status(.ok)).body(.form(["user": "ada", "password": .present])),
///         Stub(.post, "/photos", .status(.ok)).body(.multipart([PartMatcher("photo", contentType: "image/png")])),
///     ]
public struct BodyMatcher: Sendable, CustomStringConvertible {
    /// The condition, for people.
    public let description: String
    /// The reasons why a request's body isn't accepted; empty if it is accepted.
    private let check: @Sendable (StubRequest) -> [String]
    /// True if the differences never contain a value that the default policy hides.
    let showsDifferences: Bool

    package init(
        _ description: String, showsDifferences: Bool = false,
        differences check: @escaping @Sendable (StubRequest) -> [String]
    ) {
        self.description = description
        self.showsDifferences = showsDifferences
        self.check = check
    }

    /// Creates a matcher that calls `accepts` with the whole body.
    public init(_ description: String, accepts: @escaping @Sendable (Bytes) -> Bool) {
        self.init(description) { request in
            accepts(request.body) ? [] : ["the body should be \(description)"]
        }
    }

    /// An empty body.
    public static let absent = BodyMatcher("no body") { $0.isEmpty }
    /// At least one byte.
    public static let present = BodyMatcher("a body") { !$0.isEmpty }

    /// Exactly these bytes.
    public static func exact(_ bytes: some Collection<UInt8>) -> BodyMatcher {
        let bytes = Bytes(bytes)
        return BodyMatcher("exactly \(bytes.count) given bytes") { $0 == bytes }
    }

    /// Exactly this text in UTF-8.
    public static func text(_ text: String) -> BodyMatcher {
        BodyMatcher("the given text of \(text.utf8.count) bytes") { $0.elementsEqual(text.utf8) }
    }

    /// JSON that decodes to a value equal to this one; key order and white space don't matter.
    public static func json<Value: Decodable & Equatable & Sendable>(
        _ value: Value, coding: JSONCoding = .standard
    ) -> BodyMatcher {
        BodyMatcher("JSON equal to a given \(Value.self)") { bytes in
            (try? coding.decode(Value.self, from: bytes)) == value
        }
    }

    /// A body the closure accepts.
    public static func satisfying(_ accepts: @escaping @Sendable (Bytes) -> Bool) -> BodyMatcher {
        BodyMatcher("a body its closure accepts", accepts: accepts)
    }

    func differences(_ request: StubRequest) -> [String] { check(request) }
}
