public import NetCore

/// Stand-in until the files' own.
public struct DownloadError: Error, Sendable {
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }
    public let code: Code
    public let message: String
    public let underlying: NetError?
    public init(_ code: Code, message: String, underlying: NetError? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}
package struct DownloadIdentity: Sendable {}
