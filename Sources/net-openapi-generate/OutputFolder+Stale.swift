import NetOpenAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OutputFolder {
    /// The files of an earlier run that this one does not make: they would declare the same types again.
    ///
    /// Only a file with the document's name before a plus sign counts, such as `shelf+Models9.swift`, and only when it begins
    /// with the comment that generated files begin with; any other file in the folder is its owner's.
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

    /// `shelf` for `shelf+Models9.swift`; nil for any other kind of name.
    private static func family(_ name: String) -> Substring? {
        guard name.hasSuffix(".swift"), let plus = name.firstIndex(of: "+") else { return nil }
        return name[..<plus]
    }

    private static func firstLine(_ text: String) -> Substring {
        text.prefix { $0 != "\n" }
    }
}
