#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A `User-Agent` that names an app, its version, the platform and this library (RFC 9110 section 10.1.5).
///
///     let agent = UserAgent(app: "Shop", version: "2.1")
///     print(agent)  // Shop/2.1 (Linux 6.1.0; x86_64) swift-net
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.headers[.userAgent] = agent.description }
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The app's name.
    public let app: String
    /// The app's version.
    public let version: String

    /// Creates a user agent. Characters that a product's name or version can't contain become `-`.
    public init(app: String, version: String) {
        self.app = Self.token(app)
        self.version = Self.token(version)
    }

    /// The system, its version and the processor: `Linux 6.1.0; x86_64`.
    public static let platform: String = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(system) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion); \(processor)"
    }()

    /// The value of the header.
    public var description: String { "\(app)/\(version) (\(Self.platform)) swift-net" }

    private static func token(_ text: String) -> String {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                byte
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte) ? byte : UInt8(ascii: "-")
            }
        }
        return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }

    private static var system: String {
        #if os(Linux)
        "Linux"
        #elseif os(macOS)
        "macOS"
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #else
        "unknown"
        #endif
    }

    private static var processor: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "unknown"
        #endif
    }
}
