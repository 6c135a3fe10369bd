#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// rename(2): replaces the target file in one step.
enum FileRenaming {
    static func rename(_ path: String, to final: String) -> Bool {
        #if canImport(Glibc)
        Glibc.rename(path, final) == 0
        #elseif canImport(Musl)
        Musl.rename(path, final) == 0
        #else
        Darwin.rename(path, final) == 0
        #endif
    }

    /// The system's message for the error of the last call.
    static var lastProblem: String {
        String(cString: strerror(errno))
    }

    /// Returns the system's message for an error code.
    static func words(for code: POSIXErrorCode) -> String {
        String(cString: strerror(code.rawValue))
    }
}
