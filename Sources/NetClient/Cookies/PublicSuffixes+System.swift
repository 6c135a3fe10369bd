internal import CPSL
internal import NetCore

extension PublicSuffixes {
    /// Mozilla's list as provided by libpsl: the system's file if it is newer than the built-in list. It is loaded on
    /// first use.
    ///
    ///     print(PublicSuffixes.system.contains("co.uk"))  // true
    ///     print(PublicSuffixes.system.contains("example.co.uk"))  // false
    public static let system = PublicSuffixes { SuffixList.shared.contains($0) }
}

/// The public suffix list of libpsl.
///
/// `@unchecked Sendable`: libpsl only reads a list once it is loaded, and this one is never freed.
private final class SuffixList: @unchecked Sendable {
    static let shared = SuffixList()

    private let list: OpaquePointer?

    private init() {
        list = psl_latest(nil) ?? psl_builtin()
    }

    /// Returns true if the domain is on the list. A libpsl built without a list knows only single-label names.
    func contains(_ domain: String) -> Bool {
        guard let list else { return PublicSuffixes.singleLabels.contains(domain) }
        return psl_is_public_suffix(list, domain) != 0
    }
}
