internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the environment says about recording: `NET_CASSETTES` and `CI`.
///
/// `NET_CASSETTES` is `none`, `once`, `new` or `all`, and replaces the mode of every ``ReplayTransport``. Where it is not
/// set and `CI` is, to anything but `0`, `false`, `no` or `off`, ``ReplayTransport/Mode/once`` is
/// ``ReplayTransport/Mode/none``: a machine that builds never records. Default ``process``.
///
///     let locked = ReplayEnvironment(["NET_CASSETTES": "none"])
///     let replay = try ReplayTransport(cassette: "Fixtures/user.json", environment: locked)
public struct ReplayEnvironment: Sendable, Hashable {
    /// The mode that counts, and what the environment has to do with it.
    struct Decision: Sendable, Hashable {
        var mode: ReplayTransport.Mode
        /// Why nothing may be recorded; nil where the environment did not decide that.
        var lock: String?
    }

    private static let modes: [(name: String, mode: ReplayTransport.Mode)] = [
        ("none", .none), ("once", .once), ("new", .newEpisodes), ("all", .all),
    ]

    /// `NET_CASSETTES`; nil where it is not set.
    public var cassettes: String?
    /// Whether `CI` is set to a true value.
    public var isCI: Bool

    /// Takes the two from variables. Default none: nothing overrides a mode.
    public init(_ variables: [String: String] = [:]) {
        let setting = variables["NET_CASSETTES"] ?? ""
        cassettes = setting.isEmpty ? nil : setting
        isCI = !["", "0", "false", "no", "off"].contains((variables["CI"] ?? "").lowercased())
    }

    /// The environment of this process, read once.
    public static let process = ReplayEnvironment(ProcessInfo.processInfo.environment)

    /// The mode to use instead of `mode`. Throws `.invalidRequest` where `NET_CASSETTES` names none.
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
