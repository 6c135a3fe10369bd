public import NetCore

/// The networks that a download may use. All but ``any`` require ``DownloadManager/Configuration/network``. A network
/// whose property isn't known isn't used: the download waits.
///
///     var request = DownloadRequest("https://example.com/film.mp4")
///     request.network = .notExpensive
public enum DownloadNetwork: Sendable {
    /// Any reachable network. The default.
    case any
    /// Any network that isn't expensive. On Linux, where costs aren't known, these are cables and wireless networks; a
    /// telephone's hotspot can't be recognized.
    case notExpensive
    /// Any network that isn't cellular.
    case notCellular
    /// Only the interface with this name, such as `eth0`.
    case interface(String)
    /// Networks for which the closure returns true. It's called after each change of the network, and must not block.
    /// It can't be stored in the journal: after ``DownloadManager/restore(retryingFailed:)``, the download waits until
    /// it's enqueued again with a closure.
    case matching(@Sendable (NetworkStatus) -> Bool)

    /// Returns the consequence of a network status for a download.
    ///
    /// - Parameter status: Nil if nobody observes the network.
    func verdict(on status: NetworkStatus?) -> NetworkVerdict {
        guard let status else { return isRestricted ? .isHeld : .isAllowed }
        // This is only a hint: a server may be reachable nevertheless, so running downloads continue.
        guard status.reachability != .unreachable else { return .isHeld }
        let isAllowed: Bool
        switch self {
        case .any: isAllowed = true
        case .notExpensive: isAllowed = !(status.isExpensive ?? Self.mayBeExpensive(status.interfaces))
        case .notCellular: isAllowed = !status.interfaces.isEmpty && !status.interfaces.contains(.cellular)
        case .interface(let name): isAllowed = status.interface == name
        case .matching(let matches): isAllowed = matches(status)
        }
        return isAllowed ? .isAllowed : .isForbidden
    }

    /// Returns false if all interfaces are cables and wireless networks.
    private static func mayBeExpensive(_ interfaces: Set<NetworkStatus.Interface>) -> Bool {
        let kinds = interfaces.subtracting([.vpn])
        return kinds.isEmpty || !kinds.isSubset(of: [.wired, .wifi])
    }

    /// True if not every network may be used.
    var isRestricted: Bool { if case .any = self { false } else { true } }
}

extension DownloadNetwork {
    /// The description of a closure.
    static let unstored = "matching"

    /// Parses a description. A closure, and a rule of a later version, isn't known: no network is allowed.
    package init(named text: String) {
        switch text {
        case "any": self = .any
        case "notExpensive": self = .notExpensive
        case "notCellular": self = .notCellular
        case _ where text.hasPrefix("interface:"): self = .interface(String(text.dropFirst("interface:".count)))
        default: self = .matching { _ in false }
        }
    }
}

extension DownloadNetwork: CustomStringConvertible {
    /// `any`, `notExpensive`, `notCellular`, `interface:eth0`; `matching` for a closure.
    public var description: String {
        switch self {
        case .any: "any"
        case .notExpensive: "notExpensive"
        case .notCellular: "notCellular"
        case .interface(let name): "interface:\(name)"
        case .matching: Self.unstored
        }
    }
}
