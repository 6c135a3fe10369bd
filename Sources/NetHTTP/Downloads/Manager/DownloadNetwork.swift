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

    /// Returns whether a download may run on a network with that status. A network that is unreachable never does.
    func allows(_ status: NetworkStatus) -> Bool {
        guard status.reachability != .unreachable else { return false }
        switch self {
        case .any: return true
        case .notExpensive: return status.isExpensive != true
        case .notCellular: return !status.interfaces.contains(.cellular)
        case .interface(let name): return status.interface == nil || status.interface == name
        case .matching(let isAllowed): return isAllowed(status)
        }
    }
}

extension DownloadNetwork: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        switch text {
        case "notExpensive": self = .notExpensive
        case "notCellular": self = .notCellular
        case _ where text.hasPrefix("interface:"): self = .interface(String(text.dropFirst("interface:".count)))
        default: self = .any
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(self)")
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
