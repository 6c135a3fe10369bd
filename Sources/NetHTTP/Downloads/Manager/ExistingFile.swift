/// What happens if the folder of a download already has a file of its name.
public enum ExistingFile: String, Sendable, Hashable, Codable, CaseIterable {
    /// The new file gets a number: `report (2).pdf`. The default.
    case number
    /// The new file takes the place of the old one, which stays until the new one is complete.
    case replace
    /// The download fails with `.fileExists`.
    case fail
    /// The server is asked whether its file is newer (`If-Modified-Since`). If not, the old file stays as the result;
    /// otherwise the new one takes its place.
    case ask
}

extension ExistingFile {
    /// How a complete file is moved into its place.
    var placing: FilePlacing {
        switch self {
        case .number: .number
        case .replace, .ask: .replace
        case .fail: .fail
        }
    }
}
