#if canImport(Testing)
internal import NetCore

/// Where the cassette of a test lies: in a folder beside the test's source, and never outside that.
struct CassetteName: Sendable, Hashable {
    /// The folder, absolute.
    let folder: String
    /// The file's name below it, without its ending.
    let name: String
    private let ending: String

    /// Throws `.invalidRequest` for a name that is empty, absolute, or leads out of the folder.
    ///
    /// - Parameters:
    ///   - name: Components with slashes between them; `.json` is added unless it ends so or in `.har`.
    ///   - folder: Relative to the source's folder, or absolute.
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

    /// The file; with a part, the file of that name in a folder named like this cassette.
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
            message: "\"\(name.prefix(60))\" is no name for a cassette: it must lie in its folder, so write "
                + "parts such as \"users\" or \"shop/users\", at most 200 bytes, without \"..\" and \"\\\"")
    }
}
#endif
