import Foundation

/// The public types of the package, as listed in docs/api.
enum PublicTypes {
    /// Returns the names of one library's types, nested ones with their enclosing types: `NetCore.ActivityEvent.Kind`.
    static func names(of library: String) throws -> Set<String> {
        let declaration =
            /^( *)(?:@\S+ )*(?:final |indirect |nonisolated )*public (?:final |indirect )*(struct|class|enum|actor) (\w+)/
        let opening = /^(?:@\S+ )*(?:public )?extension ([\w.]+)/
        var names: Set<String> = []
        var scopes: [(indent: Int, name: String)] = []
        for line in try PackageFolder.text("docs/api/\(library).api").split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            scopes.removeAll { $0.indent >= indent }
            if let match = line.firstMatch(of: opening) { scopes.append((indent, String(match.1))) }
            guard let match = line.firstMatch(of: declaration) else { continue }
            scopes.append((indent, String(match.3)))
            names.insert(([library] + scopes.map(\.name)).joined(separator: "."))
        }
        return names
    }

    /// Returns every library with a listing.
    static func libraries() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: PackageFolder.root.appendingPathComponent("docs/api").path)
        return files.filter { $0.hasSuffix(".api") }.map { String($0.dropLast(4)) }.sorted()
    }

    static func all() throws -> Set<String> {
        try libraries().reduce(into: []) { try $0.formUnion(names(of: $1)) }
    }

    /// Returns the name of a value's type without its generic arguments, as in docs/api.
    static func name(of value: Any) -> String {
        var depth = 0
        return String(reflecting: type(of: value)).filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }
    }
}
