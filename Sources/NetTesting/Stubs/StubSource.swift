/// The place in the source where a stub was created.
public struct StubSource: Sendable, Hashable, CustomStringConvertible {
    /// Module and file: `ShopTests/OrderTests.swift`.
    public let fileID: String
    /// The line.
    public let line: Int

    /// Creates a place.
    public init(fileID: StaticString, line: UInt) {
        self.fileID = "\(fileID)"
        self.line = Int(clamping: line)
    }

    /// File and line: `ShopTests/OrderTests.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
