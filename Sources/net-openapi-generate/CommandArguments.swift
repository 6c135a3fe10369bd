/// An error in the arguments, as one sentence.
struct UsageError: Error {
    let message: String
}

/// The arguments, separated into options and positional ones.
///
/// Parsed by hand: every user of the build plugin would have to compile a library for it, which takes longer to compile
/// than the generator.
struct CommandArguments {
    private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]

    /// Parses `--name value`, `--name=value`, `-n value` and flags; arguments after `--` aren't options.
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

    /// Adds the values of a configuration file for options that aren't on the command line.
    mutating func complete(with settings: [String: [String]]) {
        values.merge(settings) { given, _ in given }
    }

    func text(_ name: String) -> String? { values[name]?.last }
    /// Returns a path, in which a leading `~` is replaced by the home folder.
    func path(_ name: String) -> String? { text(name).map { HomePath.expanded($0) } }
    func texts(_ name: String) -> [String] { values[name] ?? [] }
    func flag(_ name: String) -> Bool { text(name) == "true" }

    /// Returns a number in a range; nil if the option is absent.
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
