internal import NetCore

/// Checks whether a virtual private network carries traffic of this machine. A protocol, so that tests can replace the
/// check.
public protocol VPNChecking: Sendable {
    /// Returns true if there is an active VPN, full or split. Returns false if that can't be determined.
    func isVPNActive() async -> Bool
}

/// Checks once, without a monitor that keeps running.
///
///     if await VPNCheck().isVPNActive() { print("the server may see another address") }
public struct VPNCheck: VPNChecking {
    /// True to always return false, for builds in which a VPN must not matter. Default false.
    public var isBypassed: Bool
    private let configuration: NetworkMonitor.Configuration

    /// Creates a check.
    public init(isBypassed: Bool = false, configuration: NetworkMonitor.Configuration = .init()) {
        self.isBypassed = isBypassed
        self.configuration = configuration
    }

    public func isVPNActive() async -> Bool {
        guard !isBypassed else { return false }
        let monitor = NetworkMonitor(configuration)
        defer { monitor.stop() }
        let vpn = await monitor.status.vpn
        return vpn == .full || vpn == .split
    }
}
