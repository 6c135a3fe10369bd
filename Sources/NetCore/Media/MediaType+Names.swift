extension MediaType {
    /// Returns the type for the extension of a file name, ignoring case; nil if the extension is missing or unknown.
    ///
    ///     print(MediaType.forFile(named: "Report.PDF")?.essence ?? "")  // application/pdf
    public static func forFile(named name: String) -> MediaType? {
        let file = name.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(name).utf8
        guard let dot = file.lastIndex(of: UInt8(ascii: ".")), dot > file.startIndex else { return nil }
        let wanted = String(decoding: file[file.index(after: dot)...], as: UTF8.self).lowercased()
        return byExtension[wanted].flatMap { MediaType($0) }
    }

    /// The usual extension of the type, without the dot; nil for an unknown type.
    public var preferredExtension: String? {
        Self.extensions.first { $0.type == essence }.map { String($0.names.prefix { $0 != " " }) }
    }

    private static let byExtension: [String: String] = {
        var types: [String: String] = [:]
        for (type, names) in extensions {
            for name in names.split(separator: " ") { types[String(name)] = type }
        }
        return types
    }()

    /// Types with their extensions, the usual one first.
    private static let extensions: [(type: String, names: String)] = [
        ("text/plain", "txt text log conf"), ("text/html", "html htm"), ("text/css", "css"), ("text/csv", "csv"),
        ("text/tab-separated-values", "tsv"), ("text/markdown", "md markdown"), ("text/javascript", "js mjs"),
        ("text/calendar", "ics"), ("text/vcard", "vcf"), ("text/vtt", "vtt"), ("text/rtf", "rtf"), ("text/xml", "xml"),
        ("application/json", "json map"), ("application/x-ndjson", "ndjson jsonl"), ("application/yaml", "yaml yml"),
        ("application/toml", "toml"), ("application/geo+json", "geojson"),
        ("application/manifest+json", "webmanifest"), ("application/atom+xml", "atom"), ("application/rss+xml", "rss"),
        ("application/pdf", "pdf"), ("application/postscript", "ps eps ai"), ("application/wasm", "wasm"),
        ("application/zip", "zip"), ("application/gzip", "gz tgz"), ("application/x-bzip2", "bz2"),
        ("application/x-xz", "xz"), ("application/zstd", "zst"), ("application/x-tar", "tar"),
        ("application/x-7z-compressed", "7z"), ("application/x-rar", "rar"), ("application/java-archive", "jar"),
        ("application/x-apple-diskimage", "dmg"), ("application/vnd.sqlite3", "sqlite sqlite3"),
        ("application/epub+zip", "epub"), ("application/msword", "doc"), ("application/vnd.ms-excel", "xls"),
        ("application/vnd.ms-powerpoint", "ppt"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
        ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
        ("application/vnd.oasis.opendocument.presentation", "odp"), ("application/vnd.apple.mpegurl", "m3u8"),
        ("application/octet-stream", "bin exe dll so iso"),
        ("image/png", "png"), ("image/apng", "apng"), ("image/jpeg", "jpg jpeg jpe"), ("image/gif", "gif"),
        ("image/webp", "webp"), ("image/svg+xml", "svg"), ("image/avif", "avif"), ("image/heic", "heic"),
        ("image/heif", "heif"), ("image/jxl", "jxl"), ("image/bmp", "bmp"), ("image/tiff", "tiff tif"),
        ("image/vnd.microsoft.icon", "ico"), ("image/vnd.adobe.photoshop", "psd"),
        ("audio/mpeg", "mp3"), ("audio/mp4", "m4a m4b"), ("audio/aac", "aac"), ("audio/ogg", "ogg oga opus"),
        ("audio/flac", "flac"), ("audio/x-wav", "wav"), ("audio/midi", "mid midi"),
        ("video/mp4", "mp4 m4v"), ("video/webm", "webm"), ("video/x-matroska", "mkv"), ("video/quicktime", "mov"),
        ("video/x-msvideo", "avi"), ("video/ogg", "ogv"), ("video/mpeg", "mpeg mpg"), ("video/3gpp", "3gp"),
        ("video/mp2t", "ts"), ("video/x-flv", "flv"), ("font/woff", "woff"), ("font/woff2", "woff2"),
        ("font/ttf", "ttf"), ("font/otf", "otf"),
    ]
}
