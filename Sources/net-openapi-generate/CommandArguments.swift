/// What is wrong with the arguments: one sentence.
struct UsageError: Error {
    let message: String
}

/// Arguments as options and what is none.
///
/// Read by hand: a library for it would be compiled by everyone who uses the build plugin, and takes longer to compile than
/// the generator.
struct CommandArguments {
    private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]

    /// Reads `--name value`, `--name=value`, `-n value` and flags; what follows `--` is no option.
    init(_ arguments: [String], options: [CommandOption]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                positional += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                positional.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.matches(parts[0]) }) else {
                throw UsageError(message: "there is no option \(parts[0])")
            }
            guard option.value != nil else {
                guard parts.count == 1 else { throw UsageError(message: "\(parts[0]) takes no value") }
                add("true", for: option)
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError(message: "a value is missing after \(parts[0])")
            }
            add(value, for: option)
        }
    }

    private mutating func add(_ value: String, for option: CommandOption) {
        if option.isRepeatable {
            values[option.name, default: []].append(value)
        } else {
            values[option.name] = [value]
        }
    }

    /// Takes the values of a configuration file for the options that the command line does not have.
    mutating func complete(with settings: [String: [String]]) {
        values.merge(settings) { given, _ in given }
    }

    func text(_ name: String) -> String? { values[name]?.last }
    /// A path; a leading `~` is the home folder.
    func path(_ name: String) -> String? { text(name).map { HomePath.expanded($0) } }
    func texts(_ name: String) -> [String] { values[name] ?? [] }
    func flag(_ name: String) -> Bool { text(name) == "true" }

    /// A whole number in a range; nil where the option is not given.
    func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                message: "--\(name) must be a number from \(range.lowerBound) to \(range.upperBound); found \(text)")
        }
        return number
    }
}

extension CommandOption {
    fileprivate func matches(_ argument: String) -> Bool {
        argument == "--\(name)" || letter.map { argument == "-\($0)" } ?? false
    }
}
