/// The behavior if the folder of a download already contains a file with its name.
public enum ExistingFile: String, Sendable, Hashable, Codable, CaseIterable {
    /// The new file gets a number: `report (1).pdf`. The default.
    case number
    /// The new file replaces the old one, which stays until the new one is complete.
    case replace
    /// The download fails with `.fileExists`, before it's loaded if the name is known by then.
    case fail
    /// Asks the server whether it has another version than the one loaded before (`If-None-Match`, or a comparison of the
    /// date and the length). If not, the old file is the result; otherwise, and if the old file was changed here, the new
    /// one replaces it.
    case ask
}

extension ExistingFile {
    /// The way in which a complete file is moved to its final place.
    var placing: FilePlacing {
        switch self {
        case .number: .number
        case .replace, .ask: .replace
        case .fail: .fail
        }
    }
}
