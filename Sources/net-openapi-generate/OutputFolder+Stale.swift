#if Tools
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NetOpenAPI

extension OutputFolder {
    /// The files of an earlier run with more chunks: they would declare the same types again.
    ///
    /// Only a file of a numbered name such as `shelf+Models9.swift` counts, and only when it begins with the comment that
    /// generated files begin with; any other file in the folder is its owner's.
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

    /// `shelf+Models` for `shelf+Models9.swift`; nil for a name without a number.
    private static func family(_ name: String) -> Substring? {
        guard name.hasSuffix(".swift") else { return nil }
        let stem = name.dropLast(".swift".count)
        let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
        return digits == 0 ? nil : stem.dropLast(digits)
    }

    private static func firstLine(_ text: String) -> Substring {
        text.prefix { $0 != "\n" }
    }
}
#endif
