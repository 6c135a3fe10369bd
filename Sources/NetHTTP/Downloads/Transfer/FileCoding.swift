internal import NetCore

/// The content coding with which a server sent the file of a download, although the request asked for none.
///
/// Two kinds of servers do that. Some compress whatever they send, so the file is the decoded body. Others label an
/// archive by its extension (Apache 2.4: `AddEncoding x-gzip .gz .tgz`), so the file is the body as it was sent.
struct FileCoding: Sendable, Hashable {
    /// The codings in the order in which they were applied, with their current names: `gzip` for `x-gzip`.
    let names: [String]

    /// The maximum number of nested codings that are decoded.
    private static let maximumDecoded = 4
    /// The values of `Content-Encoding` that change no bytes. The last ones aren't codings: some storage services repeat
    /// the header of an earlier upload.
    private static let plain: Set<String> = [
        "", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8", "aws-chunked",
    ]
    private static let oldNames = [
        "x-gzip": "gzip", "x-compress": "compress", "x-bzip2": "bzip2", "bz2": "bzip2", "x-xz": "xz",
        "x-lzma": "lzma", "x-zstd": "zstd", "x-br": "br", "brotli": "br",
    ]
    /// The extension of a file in a coding, if it isn't the coding's name.
    private static let extensions = [
        "gzip": "gz", "compress": "Z", "deflate": "zz", "zstd": "zst", "bzip2": "bz2",
    ]

    /// Parses `Content-Encoding`; nil if the body isn't coded.
    init?(_ field: String?) {
        guard let field else { return nil }
        let names = field.split(separator: ",").map { name in
            let name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            return Self.oldNames[name] ?? name
        }
        self.names = names.filter { !Self.plain.contains($0) }
        if self.names.isEmpty { return nil }
    }

    /// Creates the coding of a response; nil if its body isn't coded.
    init?(_ head: ResponseHead) {
        guard head.mayHaveContentEncoding else { return nil }
        self.init(head[.contentEncoding])
    }

    /// The text for a journal and for comparison.
    var text: String { names.joined(separator: ", ") }

    /// The codings in the order in which they were applied; nil if one of them can't be decoded here.
    var decodable: [ContentCoding]? {
        names.count <= Self.maximumDecoded ? ContentCoding.list(text) : nil
    }

    /// True if each coding can be decoded, or is that of a compressed file.
    var isKnown: Bool { names.allSatisfy { ContentCoding(rawValue: $0) != nil || Packing(coding: $0) != nil } }

    /// The extension of a file whose bytes are in this coding: `gz`.
    var fileExtension: String {
        names.map { Self.extensions[$0] ?? $0 }.joined(separator: ".")
    }

    /// Returns false if the first bytes of a body show that its label is wrong: it isn't in this coding. Only codings that
    /// can be decoded are known well enough.
    func fits(_ beginning: Bytes) -> Bool {
        guard decodable != nil, let last = names.last, let packing = Packing(coding: last), !packing.beginnings.isEmpty
        else {
            return true
        }
        return packing.begins(beginning)
    }
}
