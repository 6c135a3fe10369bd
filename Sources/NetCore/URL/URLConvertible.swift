#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that identifies a URL: text, Foundation's `URL`, or a ``BaseURL``. A function that takes a URL accepts any
/// of them.
///
///     let page = URL(string: "https://example.com/robots.txt")
///     let request = page.map { Request<String>(url: $0) }
///
/// The text isn't checked here. An invalid URL doesn't trap: preparing the request throws `.invalidRequest`.
public protocol URLConvertible: Sendable {
    /// The absolute URL as text.
    var urlText: String { get }
}

extension String: URLConvertible {
    public var urlText: String { self }
}

extension Substring: URLConvertible {
    public var urlText: String { String(self) }
}

extension URL: URLConvertible {
    public var urlText: String { absoluteString }
}

extension BaseURL: URLConvertible {
    /// The whole URL, including the query, which the description omits.
    public var urlText: String { problem == nil ? "\(scheme)://\(authority)\(target)" : description }
}
