/// A prefix by which a vendor's tokens are recognized, with the characters that follow it.
///
/// Sources: the vendors' own descriptions, and the public lists of secret scanning of GitHub and GitLab, 2025. Prefixes
/// that also begin ordinary identifiers need a digit and a minimum length of one unbroken piece.
struct VendorToken: Sendable {
    enum Tail: Sendable {
        /// Letters and digits up to the end of the word.
        case alphanumeric
        /// Digits and the letters a to f.
        case hexadecimal
        /// Letters, digits, `_`, `-` and `.`; the prefix is unmistakable.
        case any
        /// The same, but at least this many letters and digits follow one another, and a digit is among them.
        case random(piece: Int)
    }

    let prefix: [UInt8]
    /// The minimum number of bytes after the prefix.
    let minimum: Int
    let tail: Tail

    /// True if the prefix has a character that Base64 hasn't.
    let isUnmistakable: Bool

    private init(_ prefix: String, _ minimum: Int, _ tail: Tail) {
        self.prefix = Array(prefix.utf8)
        self.minimum = minimum
        self.tail = tail
        isUnmistakable = prefix.utf8.contains { $0 == 0x5f || $0 == 0x2d || $0 == 0x2e }
    }

    /// Returns true if a word is such a token.
    func matches(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        guard word.count >= prefix.count + minimum, word.starts(with: prefix) else { return false }
        let rest = word[prefix.count...]
        switch tail {
        case .alphanumeric: return rest.allSatisfy(Self.isAlphanumeric)
        case .hexadecimal:
            return rest.allSatisfy { (48...57).contains($0) || (97...102).contains($0 | 0x20) }
        case .any: return true
        case .random(let piece):
            guard rest.contains(where: { (48...57).contains($0) }) else { return false }
            var length = 0
            for byte in rest {
                length = Self.isAlphanumeric(byte) ? length + 1 : 0
                if length >= piece { return true }
            }
            return false
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20)
    }

    /// The length of the shortest token.
    static let shortest = 19

    /// True if a token of a vendor, a JSON Web Token or a key ID of AWS may begin with this byte.
    @inline(__always)
    static func mayBegin(with byte: UInt8) -> Bool {
        // A bit for each letter with which one begins: a table would have to be created first.
        byte >= 64 && byte < 128 && mask &>> UInt64(byte &- 64) & 1 == 1
    }

    private static let mask: UInt64 = 0x03dd_d1fe_0009_53aa

    /// The tokens by the first byte of their prefix.
    static let byFirstByte: [[VendorToken]] = {
        var table = [[VendorToken]](repeating: [], count: 256)
        for token in all { if let first = token.prefix.first { table[Int(first)].append(token) } }
        return table
    }()

    private static let all: [VendorToken] =
        make(
            [
                "ghp_", "gho_", "ghu_", "ghs_", "ghr_",  // GitHub
                "npm_", "hf_", "gsk_", "rubygems_", "lin_api_", "lin_oauth_", "pscale_oauth_", "nfp_", "nfo_",
                "bkua_", "r8_", "aio_", "tfp_", "sbp_", "sgp_", "napi_", "rnd_", "vcp_", "vca_", "vci_", "vcr_", "vck_",
                "cfut_", "cfat_", "CLOJARS_", "pcsk_", "ATATT3x", "ATCTT3x", "ATSTT3x", "ATTA", "ATBB", "AKCp",
                "EZAK", "EZTK", "secret_", "ntn_", "ABSK",
            ], 30, .alphanumeric)
        + make(
            ["dapi", "dop_v1_", "doo_v1_", "dor_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], 32,
            .hexadecimal)
        + make(
            [
                "github_pat_", "glpat-", "gloas-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
                "glsoat-", "glffct-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxo-", "xoxc-",
                "xoxd-", "xapp-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk-ant-", "sk-proj-", "sk-svcacct-",
                "sk-admin-", "sk-or-v1-", "GOCSPX-", "hvs.", "hvb.", "hvr.", "pypi-AgE", "AGE-SECRET-KEY-1", "dp.pt.",
                "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "glsa_", "glc_", "NRAK-", "PMAK-", "pscale_tkn_",
                "pscale_pw_", "sntrys_", "sntryu_", "dckr_pat_", "dckr_oat_", "figd_", "pplx-", "tskey-", "CFPAT-",
                "ops_eyJ", "HRKU-", "duffel_live_", "duffel_test_", "shippo_live_", "shippo_test_", "sb_secret_",
                "dt0c01.", "dt0s01.", "dt0s16.", "sq0atp-", "sq0csp-", "pat-na1-", "pat-eu1-", "xkeysib-", "xsmtpsib-",
                "lsv2_pt_", "lsv2_sk_", "fio-u-", "APP_USR-", "CCIPAT_", "CCIPRJ_", "access-sandbox-",
                "access-development-", "access-production-", "AIza", "ya29.", "sk.eyJ", "APA91b",
            ], 16, .any)
        + make(["xai-", "pul-", "sk-", "whsec_", "IGQV", "EAAA", "fo1_", "cio"], 20, .random(piece: 16))
        + make(["SG.", "LTAI", "eyJrIjoi", "dG9rO"], 16, .random(piece: 16))
        + make(["sk_", "sl.", "EAA"], 40, .random(piece: 30))

    private static func make(_ prefixes: [String], _ minimum: Int, _ tail: Tail) -> [VendorToken] {
        prefixes.map { VendorToken($0, minimum, tail) }
    }
}
