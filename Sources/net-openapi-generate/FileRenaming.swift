#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// rename(2): replaces the file of the new name in one step.
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

    /// Why the last call failed, in the system's words.
    static var lastProblem: String {
        String(cString: strerror(errno))
    }

    /// The system's words for an error code.
    static func words(for code: POSIXErrorCode) -> String {
        String(cString: strerror(code.rawValue))
    }
}
