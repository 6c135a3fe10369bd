/// A file of settings: an object of texts, numbers and truth values, or lists of them, JSON or YAML.
package enum SettingsFile {
    /// One setting as written.
    package struct Setting: Sendable {
        package let name: String
        package let values: [String]
        package let position: SourcePosition
    }

    /// The settings in the file's order.
    ///
    /// - Throws: An error diagnostic when the file cannot be read, is no object, or holds a value that is neither a scalar
    ///   nor a list of scalars.
    package static func read(_ path: String) throws(Diagnostic) -> [Setting] {
        let root = try DocumentLoader().readText(path: path, name: path).root
        guard root.isObject else {
            throw Diagnostic(.error, "a configuration is an object of options", at: root.position)
        }
        var settings: [Setting] = []
        for member in root.members {
            let nodes = member.value.isArray ? member.value.elements : [member.value]
            let values = nodes.compactMap(\.text)
            guard values.count == nodes.count else {
                throw Diagnostic(
                    .error, "'\(member.key)' should be a text or a list of texts", at: member.value.position)
            }
            settings.append(Setting(name: member.key, values: values, position: member.keyPosition))
        }
        return settings
    }
}
