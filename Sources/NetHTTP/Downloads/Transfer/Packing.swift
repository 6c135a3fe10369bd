internal import NetCore

/// A compressed format of files, which has names, media types, and first bytes of its own.
enum Packing: String, Sendable, CaseIterable {
    case gzip, compress, brotli, zstd, bzip2, xz, lzma, lzip, lz4, zlib

    /// The extensions in lowercase. Formats that are gzip inside, such as the crates of Rust, the data files of R and
    /// the images of FreeSurfer, count as gzip.
    var extensions: Set<String> {
        switch self {
        case .gzip:
            [
                "gz", "tgz", "taz", "tpz", "cpgz", "svgz", "emz", "wmz", "bgz", "mgz", "crate", "unitypackage", "rds",
                "rda", "rdata", "ipk",
            ]
        case .compress: ["z"]
        case .brotli: ["br"]
        case .zstd: ["zst", "tzst", "zstd"]
        case .bzip2: ["bz2", "bz", "tbz", "tbz2", "tb2"]
        case .xz: ["xz", "txz"]
        case .lzma: ["lzma", "tlz"]
        case .lzip: ["lz"]
        case .lz4: ["lz4"]
        case .zlib: ["zz"]
        }
    }

    /// The subtypes of media types in lowercase, without the suffix `+gzip` or `+zstd`.
    private var subtypes: Set<String> {
        switch self {
        case .gzip:
            [
                "gzip", "x-gzip", "x-tgz", "x-gtar-compressed", "x-compressed-tar", "x-compressed", "gzip-compressed",
                "gzipped", "x-gunzip", "x-gzip-compressed", "x-tar-gz", "svg+xml-compressed",
            ]
        case .compress: ["x-compress", "compress"]
        case .brotli: ["x-brotli", "brotli", "x-br"]
        case .zstd: ["zstd", "x-zstd", "x-zstd-compressed-tar"]
        case .bzip2: ["bzip2", "x-bzip2", "x-bzip", "x-bzip-compressed-tar", "x-bzip2-compressed-tar"]
        case .xz: ["xz", "x-xz", "x-xz-compressed-tar"]
        case .lzma: ["x-lzma", "lzma", "x-lzma-compressed-tar"]
        case .lzip: ["x-lzip", "lzip"]
        case .lz4: ["x-lz4", "lz4"]
        case .zlib: ["zlib"]
        }
    }

    /// The first bytes; empty if the format has none that are always the same.
    var beginnings: [[UInt8]] {
        switch self {
        case .gzip: [[0x1f, 0x8b]]
        case .compress: [[0x1f, 0x9d], [0x1f, 0xa0]]
        // The second is a skippable frame; the low half of its first byte is free.
        case .zstd: [[0x28, 0xb5, 0x2f, 0xfd]] + (0...15).map { [0x50 | UInt8($0), 0x2a, 0x4d, 0x18] }
        case .bzip2: [[0x42, 0x5a, 0x68]]
        case .xz: [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]]
        case .lzip: [[0x4c, 0x5a, 0x49, 0x50]]
        case .lz4: [[0x04, 0x22, 0x4d, 0x18]]
        case .brotli, .lzma, .zlib: []
        }
    }

    /// Creates the packing of a content coding; nil for another coding.
    init?(coding: String) {
        switch coding {
        case "br": self = .brotli
        case "deflate": self = .zlib
        default: self.init(rawValue: coding)
        }
    }

    /// The packing that a file's name or its media type names; nil if they name none.
    init?(name: String, type: MediaType?) {
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst().lowercased() }
        let subtype = type?.essence.split(separator: "/").last.map { $0.lowercased() }
        let found = Self.allCases.first { packing in
            ending.map(packing.extensions.contains) ?? false
                || subtype.map { packing.subtypes.contains($0) || $0.hasSuffix("+\(packing.rawValue)") } ?? false
        }
        guard let found else { return nil }
        self = found
    }

    /// Returns true if bytes begin like a file in this format.
    func begins(_ bytes: Bytes) -> Bool {
        bytes.withUnsafeBytes { bytes in beginnings.contains { bytes.starts(with: $0) } }
    }
}
