#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The network of this machine at one time. A hint: it never overrides the error of a connection.
///
///     let status = NetworkStatus(.reachable, interfaces: [.wifi], isExpensive: false)
///     print(status.reachability)  // reachable
public struct NetworkStatus: Sendable, Hashable {
    /// Whether there is a route to other machines.
    public enum Reachability: Sendable, Hashable {
        /// Nobody has checked; treated as ``reachable``.
        case unknown
        /// There is a route. A server may be down all the same.
        case reachable
        /// There is none. Servers on this machine may answer all the same.
        case unreachable
    }

    /// A kind of network interface.
    public enum Interface: Sendable, Hashable, CaseIterable {
        case wifi
        case cellular
        case wired
        case vpn
        case other
    }

    /// What a virtual private network carries.
    public enum VPN: Sendable, Hashable {
        /// Nobody has checked.
        case unknown
        /// There is none, or it carries nothing.
        case none
        /// Some networks.
        case split
        /// Whatever has no route of its own.
        case full
    }

    /// Whether there is a route to other machines. Default unknown.
    public var reachability: Reachability
    /// The kinds of the interfaces that are used. Default none. A full VPN counts, and so does what it runs over.
    public var interfaces: Set<Interface>
    /// The name of the interface by which other machines are reached, such as `eth0`; nil if unknown, which is the default.
    public var interface: String?
    /// What a virtual private network carries. Default unknown.
    public var vpn: VPN
    /// A name of the path by which other machines are reached, which changes with addresses and routes: two networks of the
    /// same kind differ. Nil if unknown, which is the default.
    public var path: String?
    /// True if the network costs money; nil if unknown, which is the default.
    public var isExpensive: Bool?
    /// True if the user asks to save data; nil if unknown, which is the default.
    public var isConstrained: Bool?
    /// The time of the check; nil if unknown, which is the default.
    public var checkedAt: Date?

    /// Creates a status.
    public init(
        _ reachability: Reachability = .unknown, interfaces: Set<Interface> = [], path: String? = nil,
        isExpensive: Bool? = nil, isConstrained: Bool? = nil, checkedAt: Date? = nil, interface: String? = nil,
        vpn: VPN = .unknown
    ) {
        self.reachability = reachability
        self.interfaces = interfaces
        self.path = path
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.checkedAt = checkedAt
        self.interface = interface
        self.vpn = vpn
    }

    /// Whether connections of one may go on in the other: reachability, interfaces and path are the same.
    package func hasSamePath(as other: NetworkStatus) -> Bool {
        (reachability, interfaces, path) == (other.reachability, other.interfaces, other.path)
    }
}
