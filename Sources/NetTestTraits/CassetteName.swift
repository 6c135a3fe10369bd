#if canImport(Testing)
internal import NetCore

/// The location of a test's cassette: in a folder next to the test's source file, and never outside that folder.
struct CassetteName: Sendable, Hashable {
    /// The folder, relative to the working directory if the source path is relative.
    let folder: String
    /// The file's path within the folder, without the extension.
    let name: String
    private let ending: String

    /// Creates a name. Throws `.invalidRequest` for a name that is empty or absolute, or that leads out of the folder.
    ///
    /// - Parameters:
    ///   - name: Components separated by slashes; `.json` is added unless the name ends in `.json` or `.har`.
    ///   - folder: Relative to the source file's folder, or absolute.
    ///   - source: The path of the test's source file.
    init(_ name: String, in folder: String, beside source: String) throws(NetError) {
        try Self.check(name)
        let home = source.lastIndex(of: "/").map { source[..<$0] } ?? "."
        self.folder = folder.hasPrefix("/") ? folder : "\(home)/\(folder)"
        if let ending = [".json", ".har"].first(where: { name.lowercased().hasSuffix($0) }) {
            self.name = String(name.dropLast(ending.count))
            self.ending = String(name.suffix(ending.count))
        } else {
            (self.name, self.ending) = (name, ".json")
        }
    }

    /// Returns the cassette's file; with a part, the file of that name in a folder named after the cassette.
    func path(part: String?) throws(NetError) -> String {
        guard let part else { return "\(folder)/\(name)\(ending)" }
        try Self.check(part)
        return "\(folder)/\(name)/\(part)\(ending)"
    }

    private static func check(_ name: String) throws(NetError) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !["", ".", ".."].contains(part) && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x5c && $0 != 0x7f }
        }
        if isSafe && name.utf8.count <= 200 { return }
        throw NetError(
            .invalidRequest, phase: .preparing,
            message: "\"\(name.prefix(60))\" isn't a valid cassette name: it must stay in its folder, so write "
                + "parts such as \"users\" or \"shop/users\", at most 200 bytes, without \"..\" and \"\\\"")
    }
}
#endif
