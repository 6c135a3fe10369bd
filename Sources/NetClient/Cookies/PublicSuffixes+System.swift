internal import CPSL
internal import NetCore

extension PublicSuffixes {
    /// Mozilla's list, as libpsl brings it: the system's file where it is newer than the one built in. It is read when it is
    /// first asked.
    ///
    ///     print(PublicSuffixes.system.contains("co.uk"), PublicSuffixes.system.contains("example.co.uk"))  // true false
    public static let system = PublicSuffixes { SuffixList.shared.contains($0) }
}

/// The list of libpsl.
///
/// `@unchecked Sendable`: libpsl only reads a list once it is loaded, and this one is never freed.
private final class SuffixList: @unchecked Sendable {
    static let shared = SuffixList()

    private let list: OpaquePointer?

    private init() {
        list = psl_latest(nil) ?? psl_builtin()
    }

    /// Without a list, which a libpsl may be built without, names of one part are what is known.
    func contains(_ domain: String) -> Bool {
        guard let list else { return PublicSuffixes.singleLabels.contains(domain) }
        return psl_is_public_suffix(list, domain) != 0
    }
}
