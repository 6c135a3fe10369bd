/// The known protection spaces of one origin: their valid nonces, and the number of uses of each nonce.
///
/// A pure value: the middleware holds it under a lock, and sends requests outside the lock.
///
/// | event | known nonce | other nonce |
/// |---|---|---|
/// | ticket | increments its count | – |
/// | challenged | increments its count | replaces the space's nonce, counted from 1 |
/// | renewed | – | replaces the nonce of the ticket's realm, counted from 0 |
/// | refused | removes its space | nothing |
package struct DigestSpaces: Sendable {
    /// The values that one request is signed with.
    package struct Ticket: Sendable {
        package var challenge: DigestChallenge
        package let count: UInt32
        package let cnonce: String
        /// True to send the user's name in plain UTF-8, because the server has refused `username*`.
        var sendsPlainName = false
    }

    private struct Space: Sendable {
        var challenge: DigestChallenge
        /// The path prefixes that the space covers; empty for the whole origin.
        let paths: [String]
        /// The client nonce that a session keeps.
        let cnonce: String
        /// The number of uses of each nonce; the newest nonce is last.
        var counts: [(nonce: String, count: UInt32)] = []

        mutating func use(_ nonce: String) -> UInt32 {
            if let place = counts.firstIndex(where: { $0.nonce == nonce }) {
                counts[place].count &+= 1
                return counts[place].count
            }
            if counts.count == DigestSpaces.maximumNonces { counts.removeFirst() }
            counts.append((nonce, 1))
            return 1
        }
    }

    /// The maximum number of realms per origin; one more removes the oldest.
    package static let maximumRealms = 16
    /// The maximum number of nonces counted per realm; concurrent calls may have received several.
    package static let maximumNonces = 64

    private let origin: String
    private var spaces: [Space] = []
    /// True if the server has refused `username*`, and accepted the plain name.
    private var takesPlainNames = false

    package init(origin: String) {
        self.origin = origin
    }

    /// Returns the ticket for signing a request before the server challenges it; nil if no known space covers the path.
    package mutating func ticket(path: String, cnonce: String) -> Ticket? {
        guard let place = place(of: path) else { return nil }
        return ticket(place, spaces[place].challenge, cnonce)
    }

    /// Returns the realm of the space that a path belongs to; nil if no challenge for it is known.
    func realm(path: String) -> String? { place(of: path).map { spaces[$0].challenge.realm } }

    private func place(of path: String) -> Int? {
        var best: (place: Int, length: Int)?
        for (place, space) in spaces.enumerated() {
            guard let length = Self.match(path, space.paths), length >= best?.length ?? 0 else { continue }
            best = (place, length)
        }
        return best?.place
    }

    /// Records a challenge and returns the ticket for responding to it.
    package mutating func challenged(_ challenge: DigestChallenge, cnonce: String) -> Ticket {
        ticket(learned(challenge, cnonce: cnonce), challenge, cnonce)
    }

    /// Records a challenge to a request that can't be sent again; the next request starts with it.
    ///
    /// Returns the index of the challenge's space.
    @discardableResult
    package mutating func learned(_ challenge: DigestChallenge, cnonce: String) -> Int {
        var counts: [(nonce: String, count: UInt32)] = []
        if let place = spaces.firstIndex(where: { $0.challenge.realm == challenge.realm }) {
            if spaces[place].challenge.nonce == challenge.nonce { return place }
            counts = spaces.remove(at: place).counts
        }
        if spaces.count == Self.maximumRealms { spaces.removeFirst() }
        spaces.append(Space(challenge: challenge, paths: paths(of: challenge), cnonce: cnonce, counts: counts))
        return spaces.count - 1
    }

    /// Records the next nonce that the server announced (`nextnonce`).
    package mutating func renewed(_ ticket: Ticket, nonce: String) {
        guard let place = spaces.firstIndex(where: { $0.challenge.realm == ticket.challenge.realm }),
            spaces[place].challenge.nonce == ticket.challenge.nonce
        else { return }
        spaces[place].challenge.renew(nonce: nonce)
    }

    /// Removes the space of credentials that the server rejected.
    package mutating func refused(_ ticket: Ticket) {
        spaces.removeAll {
            $0.challenge.realm == ticket.challenge.realm && $0.challenge.nonce == ticket.challenge.nonce
        }
    }

    /// Returns the ticket for sending a request again with the plain name.
    mutating func withPlainName(_ ticket: Ticket) -> Ticket {
        var next = challenged(ticket.challenge, cnonce: ticket.cnonce)
        next.sendsPlainName = true
        return next
    }

    /// Records that the server accepts the plain name.
    mutating func tookPlainName() { takesPlainNames = true }

    private mutating func ticket(_ place: Int, _ challenge: DigestChallenge, _ cnonce: String) -> Ticket {
        let count = spaces[place].use(challenge.nonce)
        let isSession = challenge.isSession
        return Ticket(
            challenge: isSession ? spaces[place].challenge : challenge, count: count,
            cnonce: isSession ? spaces[place].cnonce : cnonce, sendsPlainName: takesPlainNames)
    }

    /// Returns the paths of the challenge's URIs at this origin; URIs of other origins are ignored.
    private func paths(of challenge: DigestChallenge) -> [String] {
        challenge.domain.compactMap { text in
            let reference = URLReference(text)
            guard let authority = reference.authority else { return reference.path.isEmpty ? nil : reference.path }
            let scheme = reference.scheme ?? String(origin.prefix { $0 != ":" })
            guard Authority.origin(scheme: scheme, authority: authority) == origin else { return nil }
            return reference.path.isEmpty ? "/" : reference.path
        }
    }

    /// Returns the length of the longest matching prefix, in bytes; nil if none matches.
    private static func match(_ path: String, _ prefixes: [String]) -> Int? {
        if prefixes.isEmpty { return 0 }
        return prefixes.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }
}
