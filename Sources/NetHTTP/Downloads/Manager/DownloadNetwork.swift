public import NetCore

/// The networks that a download may use. It needs ``DownloadManager/Configuration/network`` to know them; without it,
/// and where a property of the network is unknown, a download goes on.
///
///     var request = DownloadRequest("https://example.com/film.mp4")
///     request.network = .notExpensive
public enum DownloadNetwork: Sendable {
    /// Any that reaches other machines. The default.
    case any
    /// None that costs money.
    case notExpensive
    /// None over a mobile phone's network.
    case notCellular
    /// Only over the interface of that name, such as `eth0`.
    case interface(String)
    /// Those for which the closure returns true. It is called at each change of the network and must not block. It isn't
    /// kept in the journal: after ``DownloadManager/restore()`` the download may use any.
    case matching(@Sendable (NetworkStatus) -> Bool)

    /// Returns what a network with that status is to a download.
    func verdict(on status: NetworkStatus) -> NetworkVerdict {
        // A hint: a server may answer all the same, so what runs goes on.
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
    /// Reads a description; anything unknown is ``any``.
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
