/// Paths as text, compared by bytes as the system does: folders, joining, and staying inside a folder.
enum FilePath {
    private static let slash = UInt8(ascii: "/")

    /// Returns the folder of a path: `/` for a path directly below the root, empty for a bare name.
    static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "" }
        return end == path.utf8.startIndex ? "/" : String(decoding: path.utf8[..<end], as: UTF8.self)
    }

    static func join(_ folder: String, _ relative: String) -> String {
        if folder.isEmpty { return relative }
        return folder.utf8.last == slash ? folder + relative : folder + "/" + relative
    }

    /// Returns the part of an absolute path after the folder; nil if the path isn't in the folder.
    static func relative(_ path: String, to folder: String) -> String? {
        let prefix = join(folder, "")
        guard path.utf8.starts(with: prefix.utf8), path.utf8.count > prefix.utf8.count else { return nil }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Returns a path relative to a folder, both relative to the same root, with `.` and `..` resolved; nil if it
    /// leaves the root.
    static func resolve(_ path: String, from folder: String) -> String? {
        var parts: [String] = []
        for part in (folder.utf8.split(separator: slash) + path.utf8.split(separator: slash)) {
            switch String(decoding: part, as: UTF8.self) {
            case ".": continue
            case "..":
                guard parts.popLast() != nil else { return nil }
            case let name: parts.append(name)
            }
        }
        return parts.joined(separator: "/")
    }
}
