#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

/// How the program ends: what it says, and its exit code.
struct Ending {
    let code: ExitCode
    /// What is said on standard error; nil for nothing. Steers no terminal: a damaged database has its words in errors.
    let message: String?

    init(_ error: any Error) {
        let text: String?
        switch error {
        case let error as ExitCode: (code, text) = (error, nil)
        case let error as Failure: (code, text) = (error.code, "Error: \(error.description)")
        case let error as ActivityFilterError: (code, text) = (.usage, "Error: \(error)")
        default:
            let parser = NetActivity.exitCode(for: error)
            switch parser {
            case .success: (code, text) = (.success, nil)
            case .validationFailure: (code, text) = (.usage, NetActivity.fullMessage(for: error))
            // Whatever else can fail is the file: it is missing, foreign, damaged, or may not be read or written.
            default: (code, text) = (.file, NetActivity.fullMessage(for: error))
            }
        }
        message = text?.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.clean(String($0)) }
            .joined(separator: "\n")
    }
}

extension ExitCode {
    /// Nothing was found.
    static let nothing = ExitCode(1)
    /// The command line is wrong, the filter's too.
    static let usage = ExitCode(2)
    /// The file can't be read or written.
    static let file = ExitCode(3)
}

/// Why there is no answer, told on standard error.
struct Failure: Error, CustomStringConvertible {
    var code = ExitCode.nothing
    let description: String
}
#endif
