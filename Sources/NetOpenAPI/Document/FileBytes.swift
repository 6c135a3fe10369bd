#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads whole files and resolves paths, with an error that gives the cause of a failure.
enum FileBytes {
    /// Returns the bytes of a regular file of at most `limit` bytes.
    ///
    /// - Throws: An error if the path is missing, a folder, a device, unreadable or too large.
    static func read(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8] {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure(path, code: EISDIR)
        default: throw Diagnostic(.error, "'\(path)' is not a regular file; name an OpenAPI document")
        }
        guard status.st_size <= limit else { throw tooLarge(path, limit: limit) }
        return try readAll(descriptor, path: path, sizeHint: Int(status.st_size), limit: limit)
    }

    private static func readAll(
        _ descriptor: Int32, path: String, sizeHint: Int, limit: Int
    ) throws(Diagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sizeHint)
        var chunk = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = chunk.withUnsafeMutableBytes { posixRead(descriptor, $0) }
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure(path, code: errno)
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw tooLarge(path, limit: limit) }
        }
    }

    private static func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Returns the absolute path without symbolic links; nil if no file exists there.
    static func canonicalPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func failure(_ path: String, code: Int32) -> Diagnostic {
        let message =
            switch code {
            case ENOENT: "there is no file '\(path)'; check the path"
            case EACCES, EPERM: "'\(path)' may not be read; check its permissions"
            case EISDIR: "'\(path)' is a folder; name the OpenAPI document in it"
            default: "'\(path)' cannot be read: \(String(cString: strerror(code)))"
            }
        return Diagnostic(.error, message)
    }

    static func tooLarge(_ path: String, limit: Int) -> Diagnostic {
        let mebibyte = 1024 * 1024
        let size = limit < mebibyte ? "\(limit) bytes" : "\(limit / mebibyte) MiB"
        return Diagnostic(.error, "'\(path)' is larger than the limit of \(size)")
    }
}
