package import HTTPTypes
internal import Synchronization

/// The login whose data a response is: caches and coalescing keep the responses of different identities apart.
///
/// It comes from the credentials that a call sends: those of an ``IdentitySource`` among its middleware, and the credential
/// headers of the request and the client. A login keeps its identity when its token is renewed. An identity of that kind
/// is meaningful in this process only, and nothing of it is written to disk.
///
/// An app that knows its user can say so. A named identity outlives the process; on disk it stands as a keyed hash. Data
/// that is the same for everyone can be marked as such, and is then shared whatever credentials a request carries.
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
        /// A login, a cookie jar or the like, which lives in this process.
        case session(UInt64)
        /// The hash of a credential, under keys of this process.
        case credential(UInt64, UInt64)
        /// The hash of names, as a store that outlives the process keeps it.
        case sealed(String)
    }

    /// In ascending order, each once.
    package private(set) var parts: [Part]

    private init(_ parts: [Part]) { self.parts = parts }

    /// No login at all: responses that are for everyone.
    public static let everyone = CallIdentity([])

    /// A login by the app's own name for it, such as an account number.
    public static func named(_ name: String) -> CallIdentity { CallIdentity([.named(name)]) }

    /// An identity that is equal to no other.
    public static func unique() -> CallIdentity {
        CallIdentity([.session(sessions.add(1, ordering: .relaxed).newValue)])
    }

    /// The identity of the holder of a secret: equal for equal texts, in this process.
    ///
    /// Only a keyed hash of the text is kept.
    public static func holder(of secret: String) -> CallIdentity {
        var secret = secret
        return secret.withUTF8 { holder(of: UnsafeRawBufferPointer($0), named: "") }
    }

    /// The identity of the holder of a credential header.
    package static func holder(of field: HTTPField) -> CallIdentity {
        // The bytes: in a text, those that aren't UTF-8 would look alike.
        field.withUnsafeBytesOfValue { holder(of: UnsafeRawBufferPointer($0), named: field.name.canonicalName) }
    }

    /// Both identities together; equal only where both are.
    public func union(_ other: CallIdentity) -> CallIdentity {
        if other.parts.isEmpty { return self }
        return parts.isEmpty ? other : CallIdentity(Array(Set(parts + other.parts)).sorted())
    }

    /// An identity as a store keeps it.
    package static func sealed(_ hash: String) -> CallIdentity { CallIdentity([.sealed(hash)]) }

    /// The hash of an identity that a store has kept; nil for others.
    package var seal: String? {
        if case .sealed(let hash) = parts.first { hash } else { nil }
    }

    /// True if the identity means something beyond this process.
    package var isLasting: Bool {
        parts.allSatisfy { part in
            switch part {
            case .named, .sealed: true
            case .session, .credential: false
            }
        }
    }

    /// The app's names in the identity.
    package var names: [String] {
        parts.compactMap { part in
            if case .named(let name) = part { name } else { nil }
        }
    }

    /// A keyed hash of the whole, which only this process can make.
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
    /// The number of logins. A name may be an address of a person.
    public var description: String {
        parts.isEmpty ? "everyone" : parts.count == 1 ? "one login" : "\(parts.count) logins together"
    }

    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
