internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The environment variables for recording: `NET_CASSETTES` and `CI`.
///
/// `NET_CASSETTES` is `none`, `once`, `new` or `all`, and replaces the mode of every ``ReplayTransport``. If it isn't
/// set, and `CI` is set to anything but `0`, `false`, `no` or `off`, ``ReplayTransport/Mode/once`` becomes
/// ``ReplayTransport/Mode/none``, so that a CI machine never records. Default ``process``.
///
///     let locked = ReplayEnvironment(["NET_CASSETTES": "none"])
///     let replay = try ReplayTransport(cassette: "Fixtures/user.json", environment: locked)
public struct ReplayEnvironment: Sendable, Hashable {
    /// The effective mode, and the environment's influence on it.
    struct Decision: Sendable, Hashable {
        var mode: ReplayTransport.Mode
        /// The reason why nothing may be recorded; nil unless the environment forbids recording.
        var lock: String?
    }

    private static let modes: [(name: String, mode: ReplayTransport.Mode)] = [
        ("none", .none), ("once", .once), ("new", .newEpisodes), ("all", .all),
    ]

    /// The value of `NET_CASSETTES`; nil if it isn't set.
    public var cassettes: String?
    /// True if `CI` is set to a true value.
    public var isCI: Bool

    /// Reads both values from variables. Default empty: nothing overrides a mode.
    public init(_ variables: [String: String] = [:]) {
        let setting = variables["NET_CASSETTES"] ?? ""
        cassettes = setting.isEmpty ? nil : setting
        isCI = !["", "0", "false", "no", "off"].contains((variables["CI"] ?? "").lowercased())
    }

    /// The environment of this process, read once.
    public static let process = ReplayEnvironment(ProcessInfo.processInfo.environment)

    /// Returns the mode to use instead of `mode`. Throws `.invalidRequest` if `NET_CASSETTES` isn't a mode.
    func decide(_ mode: ReplayTransport.Mode) throws(NetError) -> Decision {
        guard let cassettes else {
            if mode == .once && isCI { return Decision(mode: .none, lock: "CI is set") }
            return Decision(mode: mode)
        }
        guard let found = Self.modes.first(where: { $0.name == cassettes }) else {
            let names = Self.modes.map(\.name).joined(separator: ", ")
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "NET_CASSETTES is \"\(cassettes.prefix(40))\", but must be one of \(names); or unset it")
        }
        return Decision(mode: found.mode, lock: found.mode == .none ? "NET_CASSETTES is none" : nil)
    }
}
