#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

/// The end of the program: its last message and its exit code.
struct Ending {
    let code: ExitCode
    /// The message on standard error; nil if there is none. It contains no terminal control sequences, even if the
    /// error quotes a damaged database.
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
            // All other errors concern the file: it's missing, foreign, damaged, or isn't readable or writable.
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
    /// The command line, or a filter in it, is invalid.
    static let usage = ExitCode(2)
    /// The file can't be read or written.
    static let file = ExitCode(3)
}

/// A failure without a result, reported on standard error.
struct Failure: Error, CustomStringConvertible {
    var code = ExitCode.nothing
    let description: String
}
#endif
