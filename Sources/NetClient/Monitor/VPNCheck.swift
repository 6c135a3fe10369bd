internal import NetCore

/// Says whether a virtual private network carries traffic of this machine. A protocol, so that tests have an answer of their own.
public protocol VPNChecking: Sendable {
    /// True if there is one, full or split. False where that can't be told.
    func isVPNActive() async -> Bool
}

/// Looks once, and leaves no monitor running.
///
///     if await VPNCheck().isVPNActive() { print("the server may see another address") }
public struct VPNCheck: VPNChecking {
    /// True if the answer is always no, for builds in which it must not matter. Default false.
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
