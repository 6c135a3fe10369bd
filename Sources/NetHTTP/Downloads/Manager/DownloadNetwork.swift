public import NetCore

/// The networks that a download may use. Requires ``DownloadManager/Configuration/network``; without it, and if a
/// property of the network is unknown, a download isn't restricted.
///
///     var request = DownloadRequest("https://example.com/film.mp4")
///     request.network = .notExpensive
public enum DownloadNetwork: Sendable {
    /// Any reachable network. The default.
    case any
    /// Any network that isn't expensive.
    case notExpensive
    /// Any network that isn't cellular.
    case notCellular
    /// Only the interface with this name, such as `eth0`.
    case interface(String)
    /// Networks for which the closure returns true. It's called after each change of the network, and must not block.
    /// It isn't stored in the journal: after ``DownloadManager/restore()``, the download may use any network.
    case matching(@Sendable (NetworkStatus) -> Bool)

    /// Returns the consequence of a network status for a download.
    func verdict(on status: NetworkStatus) -> NetworkVerdict {
        // This is only a hint: a server may be reachable nevertheless, so running downloads continue.
        guard status.reachability != .unreachable else { return .isHeld }
        let isAllowed: Bool
        switch self {
        case .any: isAllowed = true
        case .notExpensive: isAllowed = status.isExpensive != true
        case .notCellular: isAllowed = !status.interfaces.contains(.cellular)
        case .interface(let name): isAllowed = status.interface == nil || status.interface == name
        case .matching(let matches): isAllowed = matches(status)
        }
        return isAllowed ? .isAllowed : .isForbidden
    }
}

extension DownloadNetwork {
    /// Parses a description; an unknown one becomes ``any``.
    package init(named text: String) {
        switch text {
        case "notExpensive": self = .notExpensive
        case "notCellular": self = .notCellular
        case _ where text.hasPrefix("interface:"): self = .interface(String(text.dropFirst("interface:".count)))
        default: self = .any
        }
    }
}

extension DownloadNetwork: CustomStringConvertible {
    /// `any`, `notExpensive`, `notCellular`, `interface:eth0`; `any (matching)` for a closure.
    public var description: String {
        switch self {
        case .any: "any"
        case .notExpensive: "notExpensive"
        case .notCellular: "notCellular"
        case .interface(let name): "interface:\(name)"
        case .matching: "any (matching)"
        }
    }
}
