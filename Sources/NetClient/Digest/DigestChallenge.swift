/// What a server's Digest challenge asks for (RFC 7616 section 3.3): a proof that one knows the password, bound to a nonce.
///
///     let fields: HTTPFields = [
///         .wwwAuthenticate: "Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
///     ]
///     let challenge = DigestChallenge.strongest(of: fields.challenges())
///     print(challenge?.algorithm.name ?? "none")  // SHA-256
public struct DigestChallenge: Sendable, Hashable {
    /// The hash that the proof is made with, the weakest first.
    public enum Algorithm: Int, Sendable, Hashable, CaseIterable, Comparable {
        case md5, sha256, sha512256

        /// The name that servers use: `SHA-256`.
        public var name: String {
            switch self {
            case .md5: "MD5"
            case .sha256: "SHA-256"
            case .sha512256: "SHA-512-256"
            }
        }

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the proof covers (`qop`).
    public enum Protection: String, Sendable, Hashable {
        /// Method and path.
        case authentication = "auth"
        /// The body of the request too, and of the response where the server proves itself.
        case integrity = "auth-int"
    }

    /// What the password is for, in the server's words.
    public let realm: String
    /// The server's number; ``renew(nonce:)`` replaces it.
    public private(set) var nonce: String
    /// What the server wants back as it is; nil where there is none.
    public let opaque: String?
    /// Whether the nonce was too old and the rest right: then the password need not be asked for again.
    public let isStale: Bool
    /// The hash.
    public let algorithm: Algorithm
    /// Whether the key is made once for a session (`-sess`).
    public let isSession: Bool
    /// What the server accepts; empty for one that knows RFC 2069 alone.
    public let protections: Set<Protection>
    /// Whether the user's name is sent as a hash.
    public let hashesUser: Bool
    /// Whether the server said that names are UTF-8.
    public let isUTF8: Bool
    /// The URIs that the password is for, as the server wrote them; empty for the whole origin.
    public let domain: [String]
    /// The algorithm as the server wrote it: it gets it back.
    package let algorithmText: String?
    /// The nonce that the key of a session was made with.
    package private(set) var sessionNonce: String

    /// Reads a challenge; nil where it is not of Digest, lacks a realm or nonce, or asks for an algorithm or protection that is
    /// not known here.
    public init?(_ challenge: AuthChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = challenge["nonce"] else {
            return nil
        }
        algorithmText = challenge["algorithm"]
        var name = (algorithmText ?? "MD5").uppercased()
        isSession = name.hasSuffix("-SESS")
        if isSession { name.removeLast(5) }
        guard let algorithm = Algorithm.allCases.first(where: { $0.name == name }) else { return nil }
        let words = challenge["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        protections = Set((words ?? []).compactMap { Protection(rawValue: String($0)) })
        if let words, !words.isEmpty, protections.isEmpty { return nil }
        self.realm = realm
        self.nonce = nonce
        sessionNonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isUTF8 = challenge["charset"]?.uppercased() == "UTF-8"
        domain = (challenge["domain"] ?? "").split(separator: " ").map(String.init)
    }

    /// The challenge with the strongest algorithm, among equals the first; nil where none can be answered.
    ///
    /// - Parameter minimum: The weakest algorithm to take. Default MD5.
    public static func strongest(
        of challenges: [AuthChallenge], minimum: Algorithm = .md5
    ) -> DigestChallenge? {
        var best: DigestChallenge?
        for challenge in challenges.compactMap({ DigestChallenge($0) }) where challenge.algorithm >= minimum {
            if best.map({ $0.algorithm < challenge.algorithm }) ?? true { best = challenge }
        }
        return best
    }

    /// Goes on with another nonce, as `nextnonce` asks (RFC 7616 section 3.5). The key of a session stays.
    public mutating func renew(nonce: String) {
        self.nonce = nonce
    }
}

extension DigestChallenge: CustomStringConvertible, CustomReflectable {
    /// Algorithm and realm.
    public var description: String { "Digest \(algorithm.name)\(isSession ? "-sess" : "") realm=\"\(realm)\"" }
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm, "realm": realm]) }
}
