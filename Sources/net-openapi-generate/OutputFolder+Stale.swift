import NetOpenAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OutputFolder {
    /// Returns the files of an earlier run that this run doesn't generate: they would declare the same types again.
    ///
    /// Considers only files with the document's name before a plus sign, such as `shelf+Models9.swift`, that begin with
    /// the comment of generated files. Any other file in the folder belongs to the user.
    func staleNames(besides files: [GeneratedFile]) -> [String] {
        let current = Set(files.map(\.name))
        let families = Set(files.compactMap { Self.family($0.name) })
        let headers = Set(files.map { Self.firstLine($0.contents) }).filter { $0.hasPrefix("//") }
        let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return found.sorted().filter { name in
            guard !current.contains(name), let family = Self.family(name), families.contains(family),
                let text = try? String(contentsOfFile: path(of: name), encoding: .utf8)
            else { return false }
            return headers.contains(Self.firstLine(text))
        }
    }

    /// Returns `shelf` for `shelf+Models9.swift`; nil for any other kind of name.
    private static func family(_ name: String) -> Substring? {
        guard name.hasSuffix(".swift"), let plus = name.firstIndex(of: "+") else { return nil }
        return name[..<plus]
    }

    private static func firstLine(_ text: String) -> Substring {
        text.prefix { $0 != "\n" }
    }
}
