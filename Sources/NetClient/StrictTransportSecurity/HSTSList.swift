#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The hosts that said they want https and nothing else (RFC 6797).
///
/// A value without clock or network: time comes in. `HSTSStore` in NetHTTP shares one between the calls of a client.
///
///     var list = HSTSList()
///     let now = Date()
///     list.receive("max-age=31536000; includeSubDomains", from: "https://shop.example/", now: now)
///     print(list.wantsHTTPS("www.shop.example", now: now))  // true
public struct HSTSList: Sendable, Hashable {
    /// A host that wants https.
    public struct Entry: Sendable, Hashable {
        /// The host, lower-cased.
        public var host: String
        /// Whether the hosts below it want https too.
        public var includesSubdomains: Bool
        /// When it is forgotten.
        public var expires: Date

        /// Puts the parts together.
        public init(host: String, includesSubdomains: Bool = false, expires: Date) {
            self.host = host.lowercased()
            self.includesSubdomains = includesSubdomains
            self.expires = expires
        }
    }

    /// The most hosts; of more, those that would be forgotten first go. Default 10,000.
    public var maximumHosts = 10_000
    private var hosts: [String: Entry] = [:]

    /// An empty list.
    public init() {}

    /// All hosts, by name; those whose time is over and that were not yet cleared away are among them.
    public var entries: [Entry] { hosts.values.sorted { $0.host < $1.host } }

    /// Takes the value of the first `Strict-Transport-Security` field of a response from `url`.
    ///
    /// Without https anybody could have written it, and an address is no name: both change nothing, as does a field that is
    /// malformed (sections 8.1 and 8.1.1).
    ///
    /// - Returns: Whether the field was taken.
    @discardableResult
    public mutating func receive(_ field: String, from url: String, now: Date) -> Bool {
        guard let target = CookieTarget(url: url) else { return false }
        return receive(field, from: target, now: now)
    }

    /// Whether requests to that host go over https.
    public func wantsHTTPS(_ host: String, now: Date) -> Bool {
        var name = Self.name(host)[...]
        guard !Authority.isAddress(String(name)) else { return false }
        var isHostItself = true
        while !name.isEmpty {
            if let entry = hosts[String(name)], entry.expires > now, isHostItself || entry.includesSubdomains {
                return true
            }
            isHostItself = false
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { break }
            name = name[name.utf8.index(after: dot)...]
        }
        return false
    }

    /// Puts a host in, as a list that comes with a program does.
    public mutating func insert(_ entry: Entry) {
        hosts[Self.name(entry.host)] = entry
        while hosts.count > max(1, maximumHosts), let first = hosts.min(by: { $0.value.expires < $1.value.expires }) {
            hosts[first.key] = nil
        }
    }

    /// Forgets a host.
    public mutating func remove(_ host: String) { hosts[Self.name(host)] = nil }

    /// Forgets every host.
    public mutating func removeAll() { hosts = [:] }

    package mutating func receive(_ field: String, from target: CookieTarget, now: Date) -> Bool {
        let host = Self.name(target.host)
        guard target.isSecure, !host.isEmpty, !Authority.isAddress(host), let said = StrictTransportSecurity(field)
        else {
            return false
        }
        if said.maximumAge == 0 {
            remove(host)
        } else {
            // A time that no calendar has a number for is as good as this one.
            let age = Double(min(said.maximumAge, 100 * 366 * 86_400))
            insert(
                Entry(
                    host: host, includesSubdomains: said.includesSubdomains, expires: now.addingTimeInterval(age)))
        }
        return true
    }

    /// Lower-cased, without the dot that may end a name.
    private static func name(_ host: String) -> String {
        let name = host.lowercased()
        return name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
