#if Tools
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that only its owner may read: what it holds was said between a program and its server.
enum PrivateFile {
    /// Writes a file whole or not at all; one that is there is replaced.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let fresh = "\(path).\(getpid()).new"
        let isMade = FileManager.default.createFile(
            atPath: fresh, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isMade, rename(fresh, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(fresh)
            throw Failure(description: "\(Output.clean(path)) can't be written: \(reason)")
        }
    }
}
#endif
