#if Tools
internal import ArgumentParser
internal import NetStore

/// How the program ends: what it says, and its exit code.
struct Ending {
    let code: ExitCode
    /// What is said on standard error; nil for nothing.
    let message: String?

    init(_ error: any Error) {
        switch error {
        case let error as ExitCode: (code, message) = (error, nil)
        case let error as Failure: (code, message) = (error.code, "Error: \(error.description)")
        case let error as ActivityFilterError: (code, message) = (.usage, "Error: \(error)")
        default:
            let parser = NetActivity.exitCode(for: error)
            switch parser {
            case .success: (code, message) = (.success, nil)
            case .validationFailure: (code, message) = (.usage, NetActivity.fullMessage(for: error))
            // Whatever else can fail is the file: it is missing, foreign, damaged, or may not be read or written.
            default: (code, message) = (.file, NetActivity.fullMessage(for: error))
            }
        }
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
