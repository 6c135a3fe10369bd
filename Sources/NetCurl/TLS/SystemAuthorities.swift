#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore

/// The location of the system's CA certificates, and the cheapest way to use them.
///
/// With OpenSSL, libcurl parses its bundle for every connection: 140 certificates took 17 ms and 880 KB per connection.
/// In a folder with hashed names, OpenSSL reads only the certificate that it needs.
enum SystemAuthorities {
    /// The options for CA certificates that are set on a handle.
    enum Source: Equatable {
        /// No options: libcurl uses those that it was built with.
        case asBuilt
        /// Only the folder.
        case folder
        /// The folder, and one of its certificates as text, which prevents the use of the bundle: libcurl 8.17 and
        /// later restore the path of the bundle if none is set.
        case folderAndOne(String)
        /// Only the bundle, which libcurl 7.87 and later then parse once for many connections.
        case bundle
    }

    /// True if libcurl's folder contains all certificates under the hashed names that OpenSSL looks for; some images
    /// contain only the bundle.
    static let hasFolder: Bool = {
        guard let folder else { return false }
        let count = hashedNames(in: folder).count
        return count > 0 && count >= (bundle.map(certificates) ?? 0)
    }()

    static let source: Source = {
        guard let library = CurlFeatures.current.tlsLibrary, ["OpenSSL", "LibreSSL"].contains(where: library.hasPrefix)
        else {
            return .asBuilt
        }
        if hasFolder {
            guard CurlFeatures.restoresAuthorities else { return .folder }
            let one = folder.flatMap { folder in
                hashedNames(in: folder).first.flatMap { PEMText.contents(ofFile: "\(folder)/\($0)") }
            }
            return one.map { .folderAndOne($0) } ?? .asBuilt
        }
        return folder != nil && path(\.cainfo) != nil && !CurlFeatures.restoresAuthorities ? .bundle : .asBuilt
    }()

    /// The text of the bundle; nil if there is none.
    static var bundle: String? {
        let usual = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        for path in [path(\.cainfo)].compactMap({ $0 }) + usual {
            if let text = PEMText.contents(ofFile: path) { return text }
        }
        return nil
    }

    private static var folder: String? { path(\.capath) }

    private static func path(_ member: KeyPath<curl_version_info_data, UnsafePointer<CChar>?>) -> String? {
        net_version_info()?.pointee[keyPath: member].map { String(cString: $0) }
    }

    /// Returns the readable files in a folder that have a hashed name, such as `3513523f.0`.
    static func hashedNames(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        let place = dirfd(folder)
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let (hash, number) = (name.utf8.prefix(8), name.utf8.dropFirst(9))
            if hash.count == 8, name.utf8.dropFirst(8).first == UInt8(ascii: "."), !number.isEmpty,
                hash.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 >= 97 && $0 <= 102 }),
                number.allSatisfy({ $0 >= 48 && $0 <= 57 }),
                // Links that were copied into an image without their targets are unusable.
                faccessat(place, name, R_OK, 0) == 0
            {
                names.append(name)
            }
        }
        return names
    }

    private static func certificates(in text: String) -> Int {
        text.withCString { start in
            var count = 0
            var rest = start
            // Much faster than a loop in Swift; the text has 200 KB.
            while let found = strstr(rest, "BEGIN CERTIFICATE") {
                count += 1
                rest = UnsafePointer(found) + 17
            }
            return count
        }
    }
}
#endif
