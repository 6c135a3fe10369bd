#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The hosts that require https (RFC 6797).
///
/// A value type that uses neither a clock nor the network: the caller passes the time. ``HSTSStore`` shares a list
/// between the calls of a client.
///
///     var list = HSTSList()
///     let now = Date()
///     list.receive("max-age=31536000; includeSubDomains", from: "https://shop.example/", now: now)
///     print(list.wantsHTTPS("www.shop.example", now: now))  // true
public struct HSTSList: Sendable, Hashable {
    /// A host that requires https.
    public struct Entry: Sendable, Hashable {
        /// The host in lowercase.
        public var host: String
        /// True if its subdomains also require https.
        public var includesSubdomains: Bool
        /// The time when the host is forgotten.
        public var expires: Date

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - host: The host; it is converted to lowercase.
        ///   - includesSubdomains: True if its subdomains also require https. Default false.
        ///   - expires: The time when the host is forgotten.
        public init(host: String, includesSubdomains: Bool = false, expires: Date) {
            self.host = host.lowercased()
            self.includesSubdomains = includesSubdomains
            self.expires = expires
        }
    }

    /// The maximum number of hosts. Beyond it, those that expire first are removed. Default 10,000.
    public var maximumHosts = 10_000
    private var hosts: [String: Entry] = [:]

    /// Creates an empty list.
    public init() {}

    /// All hosts, sorted by name, including expired ones that haven't been removed yet.
    public var entries: [Entry] { hosts.values.sorted { $0.host < $1.host } }

    /// Applies the value of the first `Strict-Transport-Security` header of a response from `url`.
    ///
    /// The list doesn't change if the response arrived without https, since anyone could have written the header, if
    /// the host is an IP address, or if the header is malformed (sections 8.1 and 8.1.1).
    ///
    /// - Returns: True if the header was applied.
    @discardableResult
    public mutating func receive(_ field: String, from url: String, now: Date) -> Bool {
        guard let target = CookieTarget(url: url) else { return false }
        return receive(field, from: target, now: now)
    }

    /// Returns true if requests to the host must use https.
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

    /// Inserts a host, for example from a list that comes with the app.
    public mutating func insert(_ entry: Entry) {
        hosts[Self.name(entry.host)] = entry
        while hosts.count > max(1, maximumHosts), let first = hosts.min(by: { $0.value.expires < $1.value.expires }) {
            hosts[first.key] = nil
        }
    }

    /// Removes a host.
    public mutating func remove(_ host: String) { hosts[Self.name(host)] = nil }

    /// Removes all hosts.
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
            // Equivalent to any longer time, which might exceed the range of a calendar.
            let age = Double(min(said.maximumAge, 100 * 366 * 86_400))
            insert(
                Entry(
                    host: host, includesSubdomains: said.includesSubdomains, expires: now.addingTimeInterval(age)))
        }
        return true
    }

    /// Returns the name in lowercase, without a trailing dot.
    private static func name(_ host: String) -> String {
        let name = host.lowercased()
        return name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
