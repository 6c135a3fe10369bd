#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that names a file: a path as text, or Foundation's `URL` of a file.
public protocol FilePathConvertible: Sendable {
    /// The path. For a URL that isn't a file URL, it's the whole URL, so that using the file fails.
    var filePath: String { get }
}

extension String: FilePathConvertible {
    public var filePath: String { self }
}

extension URL: FilePathConvertible {
    public var filePath: String { isFileURL ? path : absoluteString }
}
