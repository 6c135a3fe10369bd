#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of this machine's network at one time. It's a hint that never overrides the error of a connection.
///
///     let status = NetworkStatus(.reachable, interfaces: [.wifi], isExpensive: false)
///     print(status.reachability)  // reachable
public struct NetworkStatus: Sendable, Hashable {
    /// The reachability of other machines.
    public enum Reachability: Sendable, Hashable {
        /// Not checked; treated as ``reachable``.
        case unknown
        /// There is a route to other machines. A server may still be down.
        case reachable
        /// There is no route to other machines. Servers on this machine may still be reachable.
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

    /// The traffic that a virtual private network carries.
    public enum VPN: Sendable, Hashable {
        /// Not checked.
        case unknown
        /// There is no VPN, or it doesn't carry any traffic.
        case none
        /// Traffic to some networks.
        case split
        /// All traffic without a more specific route.
        case full
    }

    /// The reachability of other machines. Default unknown.
    public var reachability: Reachability
    /// The kinds of the interfaces in use. Default none. A full VPN counts, and so does the interface below it.
    public var interfaces: Set<Interface>
    /// The name of the interface that leads to other machines, such as `eth0`; nil if unknown, which is the default.
    public var interface: String?
    /// The traffic that a virtual private network carries. Default unknown.
    public var vpn: VPN
    /// An identifier of the path to other machines, which changes with addresses and routes, so two networks of the
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

    /// Returns true if connections can continue when one status changes to the other: reachability, interfaces and
    /// path are equal.
    package func hasSamePath(as other: NetworkStatus) -> Bool {
        (reachability, interfaces, path) == (other.reachability, other.interfaces, other.path)
    }
}
