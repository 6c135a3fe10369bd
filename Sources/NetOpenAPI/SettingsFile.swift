/// A JSON or YAML settings file: an object whose values are strings, numbers, Booleans, or lists of them.
package enum SettingsFile {
    /// One setting as written.
    package struct Setting: Sendable {
        package let name: String
        package let values: [String]
        package let position: SourcePosition
    }

    /// Returns the settings in the order of the file.
    ///
    /// - Throws: An error diagnostic if the file can't be read, isn't an object, or contains a value that is neither a
    ///   scalar nor a list of scalars.
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
                    .error, "'\(member.key)' should be a string or a list of strings", at: member.value.position)
            }
            settings.append(Setting(name: member.key, values: values, position: member.keyPosition))
        }
        return settings
    }
}
