#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that names a file: a path as text, or Foundation's `URL` of a file.
public protocol FilePathConvertible: Sendable {
    /// The path. A URL that isn't of a file is itself the path, which names no file.
    var filePath: String { get }
}

extension String: FilePathConvertible {
    public var filePath: String { self }
}

extension URL: FilePathConvertible {
    public var filePath: String { isFileURL ? path : absoluteString }
}
