/// What is known of the protection spaces of one origin: which nonces are good, and how often each was used.
///
/// A pure value: the middleware keeps it under a lock and sends between two calls.
///
/// | event | known nonce | other nonce |
/// |---|---|---|
/// | ticket | its count goes up | – |
/// | challenged | its count goes up | takes the space, from 1 |
/// | renewed | – | takes the space of the ticket's realm, from 0 |
/// | refused | its space is forgotten | nothing |
package struct DigestSpaces: Sendable {
    /// What one request is signed with.
    package struct Ticket: Sendable {
        package var challenge: DigestChallenge
        package let count: UInt32
        package let cnonce: String
    }

    private struct Space: Sendable {
        var challenge: DigestChallenge
        /// Path prefixes; empty for the whole origin.
        let paths: [String]
        /// The one client nonce of a session.
        let cnonce: String
        /// How often the nonce was used; the newest nonce last.
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

    /// The most realms of one origin that are remembered; of more the oldest is forgotten.
    package static let maximumRealms = 16
    /// The most nonces of a realm whose use is counted: calls beside one another may have got several.
    package static let maximumNonces = 64

    private let origin: String
    private var spaces: [Space] = []

    package init(origin: String) {
        self.origin = origin
    }

    /// What to sign a request to a path with before anybody asks; nil where nothing is known of it.
    package mutating func ticket(path: String, cnonce: String) -> Ticket? {
        var best: (place: Int, length: Int)?
        for (place, space) in spaces.enumerated() {
            guard let length = Self.match(path, space.paths), length >= best?.length ?? 0 else { continue }
            best = (place, length)
        }
        guard let place = best?.place else { return nil }
        return ticket(place, spaces[place].challenge, cnonce)
    }

    /// The server challenged: what to answer with.
    package mutating func challenged(_ challenge: DigestChallenge, cnonce: String) -> Ticket {
        ticket(learned(challenge, cnonce: cnonce), challenge, cnonce)
    }

    /// The server challenged a request that cannot be sent again: the next one begins with it.
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

    /// The server named the nonce to go on with (`nextnonce`).
    package mutating func renewed(_ ticket: Ticket, nonce: String) {
        guard let place = spaces.firstIndex(where: { $0.challenge.realm == ticket.challenge.realm }),
            spaces[place].challenge.nonce == ticket.challenge.nonce
        else { return }
        spaces[place].challenge.renew(nonce: nonce)
    }

    /// The credentials were refused.
    package mutating func refused(_ ticket: Ticket) {
        spaces.removeAll {
            $0.challenge.realm == ticket.challenge.realm && $0.challenge.nonce == ticket.challenge.nonce
        }
    }

    private mutating func ticket(_ place: Int, _ challenge: DigestChallenge, _ cnonce: String) -> Ticket {
        let count = spaces[place].use(challenge.nonce)
        let isSession = challenge.isSession
        return Ticket(
            challenge: isSession ? spaces[place].challenge : challenge, count: count,
            cnonce: isSession ? spaces[place].cnonce : cnonce)
    }

    /// The paths of the challenge's URIs at this origin; a URI elsewhere says nothing here.
    private func paths(of challenge: DigestChallenge) -> [String] {
        challenge.domain.compactMap { text in
            let reference = URLReference(text)
            guard let authority = reference.authority else { return reference.path.isEmpty ? nil : reference.path }
            let scheme = reference.scheme ?? String(origin.prefix { $0 != ":" })
            guard BaseURL.origin(scheme: scheme, authority: authority) == origin else { return nil }
            return reference.path.isEmpty ? "/" : reference.path
        }
    }

    /// How much of a path the longest prefix covers; nil where none does.
    private static func match(_ path: String, _ prefixes: [String]) -> Int? {
        if prefixes.isEmpty { return 0 }
        return prefixes.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }
}
