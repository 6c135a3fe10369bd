#if os(Linux)
internal import CCurl
internal import Glibc

/// Where this libcurl finds the system's authorities.
enum SystemAuthorities {
    /// Whether libcurl has a folder of them, with the hashed names that OpenSSL looks for: some images hold the bundle alone.
    static let hasFolder: Bool = {
        guard let path = path(net_easy_get_authority_folder), let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            // `3513523f.0`
            let isHashed = withUnsafeBytes(of: entry.pointee.d_name) { name in
                name[8] == UInt8(ascii: ".") && name[9] >= 48 && name[9] <= 57
                    && name[..<8].allSatisfy { byte in
                        byte >= 48 && byte <= 57 || byte >= 97 && byte <= 102
                    }
            }
            if isHashed { return true }
        }
        return false
    }()

    /// The text of the bundle; nil when there is none.
    static var bundle: String? {
        let usual = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        for path in [path(net_easy_get_authority_bundle)].compactMap({ $0 }) + usual {
            if let text = PEMText.contents(ofFile: path) { return text }
        }
        return nil
    }

    private static func path(_ question: (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?) -> String? {
        guard CurlGlobal.status == CURLE_OK, let raw = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(raw) }
        return question(raw).map { String(cString: $0) }
    }
}
#endif
