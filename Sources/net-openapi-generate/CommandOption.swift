/// An option of the command line, and a key of the configuration file.
struct CommandOption: Sendable {
    /// The long name, without hyphens.
    let name: String
    /// The short form, one letter; nil if there is none.
    var letter: Character?
    /// The name of its value in the help; nil for a flag.
    var value: String?
    var isRepeatable = false
    let help: String

    static func flag(_ name: String, _ help: String) -> CommandOption { CommandOption(name: name, help: help) }

    static func one(_ name: String, _ value: String, _ help: String, letter: Character? = nil) -> CommandOption {
        CommandOption(name: name, letter: letter, value: value, help: help)
    }

    static func many(_ name: String, _ value: String, _ help: String) -> CommandOption {
        CommandOption(name: name, value: value, isRepeatable: true, help: help + " May be repeated.")
    }
}
