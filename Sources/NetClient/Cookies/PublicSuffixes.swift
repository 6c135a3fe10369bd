/// The public suffixes: domains under which anyone can register names, such as `com` and `co.uk`. A cookie for one of
/// them would be sent to unrelated sites.
///
/// ``PublicSuffixes/system`` is the Mozilla list. Without a list, only single-label names count as public.
///
///     let own = PublicSuffixes { $0 == "customers.example" || PublicSuffixes.singleLabels.contains($0) }
///     print(own.contains("customers.example"))  // true
public struct PublicSuffixes: Sendable {
    private let isPublic: @Sendable (String) -> Bool

    /// Creates a list from a predicate.
    ///
    /// - Parameter isPublic: Returns true for a public suffix. It gets the domain in lowercase, without a dot at either
    ///   end.
    public init(_ isPublic: @escaping @Sendable (String) -> Bool) {
        self.isPublic = isPublic
    }

    /// A list of only single-label names, such as `com`.
    public static let singleLabels = PublicSuffixes { !$0.utf8.contains(UInt8(ascii: ".")) }

    /// Returns true if the domain is a public suffix. An IP address never is.
    public func contains(_ domain: String) -> Bool {
        var domain = domain.lowercased()[...]
        while domain.utf8.last == UInt8(ascii: ".") { domain.removeLast() }
        guard !domain.isEmpty, !Authority.isAddress(String(domain)) else { return false }
        return isPublic(String(domain))
    }

    /// Returns the registrable part of a host: its public suffix and the label before it; nil for a public suffix
    /// itself, and for an IP address.
    public func registrableDomain(of host: String) -> String? {
        var domain = host.lowercased()[...]
        while domain.utf8.last == UInt8(ascii: ".") { domain.removeLast() }
        var registrable: Substring?
        while !domain.isEmpty, !Authority.isAddress(host) {
            if contains(String(domain)) { return registrable.map(String.init) }
            registrable = domain
            guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            domain = domain[domain.utf8.index(after: dot)...]
        }
        return nil
    }
}
