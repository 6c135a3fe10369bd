package import HTTPTypes
internal import Synchronization

/// The login that a response belongs to. Caches and coalescing keep the responses of different identities apart.
///
/// An identity is derived from the credentials that a call sends: those of each ``IdentitySource`` among its
/// middleware, and the credential headers of the request and the client. A login keeps its identity when its token is
/// renewed. A derived identity is meaningful only in this process and is never written to disk.
///
/// An app that knows its user can name the identity. A named identity outlives the process; on disk, it is stored as a
/// keyed hash. Data that is the same for everyone can be marked with ``everyone``; it is then shared regardless of the
/// credentials in a request.
///
///     var request = Request<Bytes>("/feed", serializer: .bytes)
///     request.options.identity = .named("ann")
///     var news = Request<Bytes>("/news", serializer: .bytes)
///     news.options.identity = .everyone
public struct CallIdentity: Sendable, Hashable {
    /// One of the credentials that make up an identity.
    package enum Part: Sendable, Hashable, Comparable {
        /// The app's own name for a login.
        case named(String)
        /// The holder of the credential that is sent, not known yet.
        case ofCredential
        /// A login, a cookie jar or a similar session of this process.
        case session(UInt64)
        /// The hash of a credential, with keys of this process.
        case credential(UInt64, UInt64)
        /// The hash of names, as kept by a store that outlives the process.
        case sealed(String)
    }

    /// The parts in ascending order, without duplicates.
    package private(set) var parts: [Part]

    private init(_ parts: [Part]) { self.parts = parts }

    /// The absence of a login, for responses that are the same for everyone.
    public static let everyone = CallIdentity([])

    /// Returns the identity of a login by the app's own name for it, such as an account number.
    public static func named(_ name: String) -> CallIdentity { CallIdentity([.named(name)]) }

    /// The holder of the credential that a request is sent with. A credential provider that knows nothing that lasts
    /// longer than a credential returns it; the middleware replaces it with ``holder(of:)``.
    public static let ofCredential = CallIdentity([.ofCredential])

    /// Returns an identity that is equal to no other.
    public static func unique() -> CallIdentity {
        CallIdentity([.session(sessions.add(1, ordering: .relaxed).newValue)])
    }

    /// Returns the identity of the holder of a secret. Equal texts have equal identities in this process.
    ///
    /// Only a keyed hash of the text is kept.
    public static func holder(of secret: String) -> CallIdentity {
        var secret = secret
        return secret.withUTF8 { holder(of: UnsafeRawBufferPointer($0), named: "") }
    }

    /// Returns the identity of the holder of a credential header.
    package static func holder(of field: HTTPField) -> CallIdentity {
        // Hashes bytes, because as strings, all bytes that aren't UTF-8 would be equal.
        field.withUnsafeBytesOfValue { holder(of: UnsafeRawBufferPointer($0), named: field.name.canonicalName) }
    }

    /// Returns the combination of both identities. It's equal only to a combination of the same parts.
    public func union(_ other: CallIdentity) -> CallIdentity {
        if other.parts.isEmpty { return self }
        return parts.isEmpty ? other : CallIdentity(Array(Set(parts + other.parts)).sorted())
    }

    /// Returns the identity for a hash that a store has kept.
    package static func sealed(_ hash: String) -> CallIdentity { CallIdentity([.sealed(hash)]) }

    /// The hash of an identity that a store has kept; nil for other identities.
    package var seal: String? {
        if case .sealed(let hash) = parts.first { hash } else { nil }
    }

    /// True if the identity is meaningful beyond this process.
    package var isLasting: Bool {
        parts.allSatisfy { part in
            switch part {
            case .named, .sealed: true
            case .ofCredential, .session, .credential: false
            }
        }
    }

    /// Returns true if all parts of `other` are among those of this identity.
    package func contains(_ other: CallIdentity) -> Bool { other.parts.allSatisfy { parts.contains($0) } }

    /// Returns the parts that both identities have.
    package func intersection(_ other: CallIdentity) -> CallIdentity {
        CallIdentity(parts.filter { other.parts.contains($0) })
    }

    /// True if a part of it is ``ofCredential``.
    package var isOfCredential: Bool { parts.contains(.ofCredential) }

    /// The logins that don't change with each credential: names, and sessions of this process.
    package var lasting: CallIdentity {
        CallIdentity(
            parts.filter { part in
                switch part {
                case .named, .session, .sealed: true
                case .ofCredential, .credential: false
                }
            })
    }

    /// The names that the app has given to the identity.
    package var names: [String] {
        parts.compactMap { part in
            if case .named(let name) = part { name } else { nil }
        }
    }

    /// A keyed hash of the whole identity. Only this process has the keys.
    package var digest: String {
        [Self.keys.0, Self.keys.1].map { key in
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(parts)
            return String(UInt64(truncatingIfNeeded: hasher.finalize()), radix: 16)
        }.joined(separator: "-")
    }

    private static let sessions = Atomic<UInt64>(0)
    private static let keys = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

    private static func holder(of secret: UnsafeRawBufferPointer, named name: String) -> CallIdentity {
        func hash(_ key: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(name)
            hasher.combine(bytes: secret)
            return UInt64(truncatingIfNeeded: hasher.finalize())
        }
        return CallIdentity([.credential(hash(keys.0), hash(keys.1))])
    }
}

extension CallIdentity: CustomStringConvertible, CustomReflectable {
    /// The number of logins. Names are omitted, because a name may be a person's email address.
    public var description: String {
        parts.isEmpty ? "everyone" : parts.count == 1 ? "one login" : "\(parts.count) logins together"
    }

    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
