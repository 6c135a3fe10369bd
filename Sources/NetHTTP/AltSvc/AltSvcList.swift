#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The places that origins say they can be reached at as well (RFC 7838).
///
/// A value without clock or network: time comes in. `AltSvcStore` in NetHTTP shares one between the calls of a client.
///
///     var list = AltSvcList()
///     let now = Date()
///     list.receive(#"h2="alt.example:8443"; ma=3600"#, from: "https://shop.example/", now: now)
///     print(list.services(for: "https://shop.example/cart", now: now))  // [h2="alt.example:8443"]
public struct AltSvcList: Sendable, Hashable {
    /// An origin with its alternatives.
    public struct Entry: Sendable, Hashable {
        /// Scheme, host and port, lower-cased, the default port left out: `https://shop.example`.
        public var origin: String
        /// The alternatives, in the order in which the origin would have them used.
        public var services: [AlternativeService]
        /// When they were heard of.
        public var received: Date

        /// Puts the parts together.
        public init(origin: String, services: [AlternativeService], received: Date) {
            self.origin = origin
            self.services = services
            self.received = received
        }
    }

    /// The most origins; of more, those that were not heard of for the longest time go. Default 1,000.
    public var maximumOrigins = 1000
    private var origins: [String: Entry] = [:]

    /// How long an alternative is left alone that did not do; each time it does not do again, for twice as long.
    /// RFC 7838 section 2.4 leaves it to the client.
    package static let firstPause = Duration.seconds(300)
    /// The longest of these times.
    package static let longestPause = Duration.seconds(86_400)

    /// An empty list.
    public init() {}

    /// All origins, by name; alternatives whose time is over and that were not yet cleared away are among them.
    public var entries: [Entry] { origins.values.sorted { $0.origin < $1.origin } }

    /// Takes the field `Alt-Svc` of a response from `url`, its lines joined by commas, in place of all that the origin said
    /// before.
    ///
    /// Without https anybody could have written it: that changes nothing, nor does a field without one alternative that can
    /// be read. What is known against an alternative stays known. The origin's own place over TCP is left out: what is
    /// spoken there TLS finds out.
    ///
    /// - Parameter age: For how many seconds the response lay in a cache, its field `Age` (section 3.1). Default 0.
    /// - Returns: Whether the field was taken.
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
            // A time that no calendar has a number for is as good as this one.
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

    /// The alternatives that may be used for a URL, best first.
    public func services(for url: String, now: Date) -> [AlternativeService] {
        Self.origin(of: url).map { services(at: $0, now: now) } ?? []
    }

    /// Puts an origin in, as a list that comes with a program does, in place of what was known of it. What is no host and port
    /// is left out, and an origin without any, or not of https.
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

    /// Forgets the alternatives for a URL.
    public mutating func remove(_ url: String) {
        if let origin = Self.origin(of: url) { origins[origin] = nil }
    }

    /// Forgets every origin.
    public mutating func removeAll() { origins = [:] }

    /// Forgets the alternatives that are good for the network they were heard of in alone, and what is known against the
    /// others (section 2.2). Call it when the network has changed.
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

    /// The origin of a URL; nil where it is not of https.
    private static func origin(of url: String) -> String? {
        let url = URLReference(url)
        guard url.scheme?.lowercased() == "https", var authority = url.authority else { return nil }
        if let at = authority.lastIndex(of: "@") { authority = String(authority[at...].dropFirst()) }
        return authority.isEmpty ? nil : BaseURL.origin(scheme: "https", authority: authority)
    }

    private static func isOlder(_ one: Entry, _ other: Entry) -> Bool {
        (one.received, one.origin) < (other.received, other.origin)
    }
}

/// By origin, as ``Entry/origin`` has it.
extension AltSvcList {
    package func services(at origin: String, now: Date) -> [AlternativeService] {
        origins[origin]?.services.filter { $0.isUsable(at: now) } ?? []
    }

    /// No connection to it came about, or no answer: it is left alone for a time.
    package mutating func failed(_ service: AlternativeService, for origin: String, now: Date) {
        change(service, origin) { service in
            // Calls that ran at the same time are one failure.
            guard service.isUsable(at: now) else { return }
            service.failures = min(service.failures + 1, 16)
            let pause = min(Self.firstPause * (1 << (service.failures - 1)), Self.longestPause)
            service.brokenUntil = now.addingTimeInterval(pause.inSeconds.rounded(.down))
        }
    }

    /// It does what it should.
    package mutating func answered(_ service: AlternativeService, for origin: String) {
        guard service.failures > 0 else { return }
        change(service, origin) { service in
            service.brokenUntil = nil
            service.failures = 0
        }
    }

    /// It says that it does not answer for the origin (section 6): it is none of the alternatives any more. Where the origin
    /// names it again, it is left alone for a time, or every call would go both ways.
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
