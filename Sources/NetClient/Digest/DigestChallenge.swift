/// A server's Digest challenge (RFC 7616 section 3.3): a demand to prove knowledge of the password, bound to a nonce.
///
///     let headers: HTTPFields = [
///         .wwwAuthenticate: "Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
///     ]
///     let challenge = DigestChallenge.strongest(of: headers.challenges())
///     print(challenge?.algorithm.name ?? "none")  // SHA-256
public struct DigestChallenge: Sendable, Hashable {
    /// The hash function of the proof, ordered from weakest to strongest.
    public enum Algorithm: Int, Sendable, Hashable, CaseIterable, Comparable {
        case md5, sha256, sha512256

        /// The name in challenges, such as `SHA-256`.
        public var name: String {
            switch self {
            case .md5: "MD5"
            case .sha256: "SHA-256"
            case .sha512256: "SHA-512-256"
            }
        }

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The part of an exchange that the proof covers (`qop`).
    public enum Protection: String, Sendable, Hashable {
        /// The method and path.
        case authentication = "auth"
        /// Also the body of the request, and that of the response if the server sends its own proof.
        case integrity = "auth-int"
    }

    /// The server's description of the area that the password protects.
    public let realm: String
    /// The server's nonce; ``renew(nonce:)`` replaces it.
    public private(set) var nonce: String
    /// A value to return to the server unchanged; nil if it sent none.
    public let opaque: String?
    /// True if only the nonce was rejected because it was too old: the password was right, so the user needn't be asked
    /// again.
    public let isStale: Bool
    /// The hash function of the proof.
    public let algorithm: Algorithm
    /// True if the key is computed once for a session (`-sess`).
    public let isSession: Bool
    /// The protections that the server accepts; empty if it supports only RFC 2069.
    public let protections: Set<Protection>
    /// True if the username is sent as a hash.
    public let hashesUser: Bool
    /// True if the server declared that usernames are UTF-8.
    public let isUTF8: Bool
    /// The URIs that the password protects, as the server wrote them; empty for the whole origin.
    public let domain: [String]
    /// The algorithm as the server wrote it, which is returned unchanged.
    package let algorithmText: String?
    /// The nonce that a session's key was computed with.
    package private(set) var sessionNonce: String

    /// Parses a challenge; nil if it isn't a Digest challenge, lacks a realm or nonce, or requires an unknown algorithm
    /// or protection.
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

    /// Returns the challenge with the strongest algorithm, the first of equals; nil if none is supported.
    ///
    /// - Parameters:
    ///   - challenges: The challenges of a response, of any scheme.
    ///   - minimum: The weakest algorithm to accept. Default MD5.
    public static func strongest(
        of challenges: [AuthChallenge], minimum: Algorithm = .md5
    ) -> DigestChallenge? {
        var best: DigestChallenge?
        for challenge in challenges.compactMap({ DigestChallenge($0) }) where challenge.algorithm >= minimum {
            if best.map({ $0.algorithm < challenge.algorithm }) ?? true { best = challenge }
        }
        return best
    }

    /// Replaces the nonce when the server sends `nextnonce` (RFC 7616 section 3.5). A session keeps its key.
    public mutating func renew(nonce: String) {
        self.nonce = nonce
    }
}

extension DigestChallenge: CustomStringConvertible, CustomReflectable {
    /// The algorithm and realm.
    public var description: String { "Digest \(algorithm.name)\(isSession ? "-sess" : "") realm=\"\(realm)\"" }
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm, "realm": realm]) }
}
