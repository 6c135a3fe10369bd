#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that names a file: a path as text, or Foundation's `URL` of a file.
public protocol FilePathConvertible: Sendable {
    /// The path. A URL that isn't a file URL is used as the path, which doesn't name any file.
    var filePath: String { get }
}

extension String: FilePathConvertible {
    public var filePath: String { self }
}

extension URL: FilePathConvertible {
    public var filePath: String { isFileURL ? path : absoluteString }
}
