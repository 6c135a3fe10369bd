import NetOpenAPI

/// A configuration file. Its keys are the names of the command-line options, and `document`.
///
///     document: openapi.yaml
///     output: Sources/API
///     access: package
///     exclude-tag: [internal, beta]
enum ConfigurationFile {
    /// The keys whose values are paths. Relative paths are relative to the file's own folder.
    private static let paths: Set<String> = ["document", "output", "reference-folder", "report"]

    /// Returns the values by option.
    ///
    /// - Throws: An error diagnostic if the file can't be read, a key isn't an option, or a value is of the wrong kind.
    static func read(_ path: String) throws(Diagnostic) -> [String: [String]] {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var result: [String: [String]] = [:]
        for setting in try SettingsFile.read(path) {
            let option = GenerateOptions.all.first { $0.name == setting.name && $0.name != "config" }
            guard option != nil || setting.name == "document" else {
                throw Diagnostic(.error, "there is no option '\(setting.name)'", at: setting.position)
            }
            if setting.values.count != 1, option?.isRepeatable != true {
                throw Diagnostic(.error, "'\(setting.name)' has one value, not a list", at: setting.position)
            }
            if option?.value == nil, setting.name != "document", !["true", "false"].contains(setting.values[0]) {
                throw Diagnostic(.error, "'\(setting.name)' is true or false", at: setting.position)
            }
            result[setting.name] = setting.values.map { value in
                let isRelative =
                    paths.contains(setting.name) && !value.hasPrefix("/") && value != "-" && !HomePath.isInHome(value)
                return isRelative && !folder.isEmpty ? "\(folder)/\(value)" : value
            }
        }
        return result
    }
}
