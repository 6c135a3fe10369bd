#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The alternative services that origins announce (RFC 7838).
///
/// A value without clock or network: the caller passes the time. ``AltSvcStore`` shares a list between a client's
/// calls.
///
///     var list = AltSvcList()
///     let now = Date()
///     list.receive(#"h2="alt.example:8443"; ma=3600"#, from: "https://shop.example/", now: now)
///     print(list.services(for: "https://shop.example/cart", now: now))  // [h2="alt.example:8443"]
public struct AltSvcList: Sendable, Hashable {
    /// An origin and its alternatives.
    public struct Entry: Sendable, Hashable {
        /// Scheme, host and port, lower-cased, without the default port: `https://shop.example`.
        public var origin: String
        /// The alternatives, in the origin's order of preference.
        public var services: [AlternativeService]
        /// The time when the alternatives were received.
        public var received: Date

        /// Creates an entry; it's validated when it's inserted into a list.
        public init(origin: String, services: [AlternativeService], received: Date) {
            self.origin = origin
            self.services = services
            self.received = received
        }
    }

    /// The maximum number of origins; above it, the least recently received ones are removed. Default 1,000.
    public var maximumOrigins = 1000
    private var origins: [String: Entry] = [:]

    /// The time during which a failed alternative isn't used; it doubles with each further failure. RFC 7838 section
    /// 2.4 leaves it to the client.
    package static let firstPause = Duration.seconds(300)
    /// The maximum of that time.
    package static let longestPause = Duration.seconds(86_400)

    /// Creates an empty list.
    public init() {}

    /// All origins, sorted by name, including expired alternatives that weren't removed yet.
    public var entries: [Entry] { origins.values.sorted { $0.origin < $1.origin } }

    /// Applies the `Alt-Svc` header of a response from `url`, its lines joined by commas. It replaces everything that
    /// the origin announced before.
    ///
    /// Headers received without https are ignored, because anyone could have written them, and so are headers without
    /// `clear` or a readable alternative. Known failures of an alternative are kept. The origin's own host and port
    /// over TCP are omitted: TLS negotiates the protocol there.
    ///
    /// - Parameters:
    ///   - field: The value of the header.
    ///   - url: The URL of the response.
    ///   - now: The current time.
    ///   - age: The seconds that the response spent in a cache: its `Age` header (section 3.1). Default 0.
    /// - Returns: True if the header was applied.
    @discardableResult
    public mutating func receive(_ field: String, from url: String, now: Date, age: Int64 = 0) -> Bool {
        guard let origin = Self.origin(of: url), let own = HostAndPort(origin.dropFirst(Self.scheme.count)) else {
            return false
        }
        let said = AltSvcField(field)
        guard said.isClear || !said.members.isEmpty else { return false }
        let known = origins.removeValue(forKey: origin)?.services ?? []
        var services: [AlternativeService] = []
        for member in said.members {
            // A lifetime beyond any calendar is capped at 100 years.
            let life = min(member.maximumAge, 100 * 366 * 86_400) - max(0, age)
            guard life > 0 else { continue }
            var service = AlternativeService(
                protocolName: member.protocolName, host: member.host.isEmpty ? own.host : member.host,
                port: member.port, expires: now.addingTimeInterval(Double(life)), isPersistent: member.isPersistent)
            if service.host == own.host, service.port == own.port ?? 443, service.protocolName != "h3" { continue }
            if let known = known.first(where: { $0.isSamePlace(as: service) }) {
                service.brokenUntil = known.brokenUntil
                service.failures = known.failures
            }
            services.append(service)
        }
        insert(Entry(origin: origin, services: services, received: now))
        return true
    }

    /// Returns the usable alternatives for a URL, best first.
    public func services(for url: String, now: Date) -> [AlternativeService] {
        Self.origin(of: url).map { services(at: $0, now: now) } ?? []
    }

    /// Inserts an origin, such as one from a list shipped with a program, and replaces its previous entry. Omits
    /// alternatives without a valid host and port, and origins without any alternatives or with a scheme other than
    /// https.
    public mutating func insert(_ entry: Entry) {
        guard let origin = Self.origin(of: entry.origin) else { return }
        var entry = entry
        entry.origin = origin
        entry.services = Array(entry.services.filter(\.isValid).prefix(AltSvcField.maximumMembers))
        origins[origin] = entry.services.isEmpty ? nil : entry
        while origins.count > max(1, maximumOrigins), let oldest = origins.values.min(by: Self.isOlder) {
            origins[oldest.origin] = nil
        }
    }

    /// Removes the alternatives for a URL.
    public mutating func remove(_ url: String) {
        if let origin = Self.origin(of: url) { origins[origin] = nil }
    }

    /// Removes all origins.
    public mutating func removeAll() { origins = [:] }

    /// Removes the alternatives that are valid only on the network on which they were received, and the known
    /// failures of the others (section 2.2). Call it when the network has changed.
    public mutating func networkChanged() {
        for (origin, var entry) in origins {
            entry.services.removeAll { !$0.isPersistent }
            for index in entry.services.indices {
                entry.services[index].brokenUntil = nil
                entry.services[index].failures = 0
            }
            origins[origin] = entry.services.isEmpty ? nil : entry
        }
    }

    private static let scheme = "https://"

    /// Returns the origin of a URL; nil if its scheme isn't https.
    private static func origin(of url: String) -> String? {
        let url = URLReference(url)
        guard url.scheme?.lowercased() == "https", let text = url.authority else { return nil }
        let authority = Authority(text)
        return authority.host.isEmpty ? nil : authority.origin(scheme: "https")
    }

    private static func isOlder(_ one: Entry, _ other: Entry) -> Bool {
        (one.received, one.origin) < (other.received, other.origin)
    }
}

/// Access by origin, in the form of ``Entry/origin``.
extension AltSvcList {
    package func services(at origin: String, now: Date) -> [AlternativeService] {
        origins[origin]?.services.filter { $0.isUsable(at: now) } ?? []
    }

    /// Records a failed connection to an alternative, or a missing response: the alternative isn't used for some
    /// time.
    package mutating func failed(_ service: AlternativeService, for origin: String, now: Date) {
        change(service, origin) { service in
            // Concurrent calls count as one failure.
            guard service.isUsable(at: now) else { return }
            service.failures = min(service.failures + 1, 16)
            let pause = min(Self.firstPause * (1 << (service.failures - 1)), Self.longestPause)
            service.brokenUntil = now.addingTimeInterval(pause.inSeconds.rounded(.down))
        }
    }

    /// Records a response from an alternative, which clears its failures.
    package mutating func answered(_ service: AlternativeService, for origin: String) {
        guard service.failures > 0 else { return }
        change(service, origin) { service in
            service.brokenUntil = nil
            service.failures = 0
        }
    }

    /// Records that an alternative isn't authoritative for the origin (section 6), which removes it. If the origin
    /// announces it again, it isn't used for some time; otherwise, every call would be sent to both.
    package mutating func misdirected(_ service: AlternativeService, for origin: String, now: Date) {
        failed(service, for: origin, now: now)
        change(service, origin) { $0.expires = min($0.expires, now) }
    }

    private mutating func change(
        _ service: AlternativeService, _ origin: String, _ body: (inout AlternativeService) -> Void
    ) {
        guard var entry = origins[origin], let index = entry.services.firstIndex(where: service.isSamePlace) else {
            return
        }
        body(&entry.services[index])
        origins[origin] = entry
    }
}
