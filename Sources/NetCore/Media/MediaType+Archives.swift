extension MediaType {
    /// Returns the type of a ZIP archive, determined by the files in it.
    static func zip(_ head: [UInt8]) -> MediaType {
        // OpenDocument and EPUB store their type as the first file, uncompressed and named mimetype.
        if head.count > 38, head[30...].starts(with: "mimetype".utf8) {
            let letters = head[38...].prefix(80).prefix { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "P") }
            if let type = MediaType(String(decoding: letters, as: UTF8.self)) { return type }
        }
        for name in zipNames(head) where name.hasSuffix(".xml") || name.hasSuffix(".rels") {
            let office = "vnd.openxmlformats-officedocument."
            if name.hasPrefix("word/") { return MediaType("application", office + "wordprocessingml.document") }
            if name.hasPrefix("xl/") { return MediaType("application", office + "spreadsheetml.sheet") }
            if name.hasPrefix("ppt/") { return MediaType("application", office + "presentationml.presentation") }
        }
        return MediaType("application", "zip")
    }

    /// Returns the names of the files whose headers are in the head (APPNOTE.TXT section 4.3.7). Follows one header to
    /// the next, since a search would also find those of nested archives.
    private static func zipNames(_ head: [UInt8]) -> [String] {
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(head[offset + $1]) << (8 * $1) }
        }
        func isHeader(_ start: Int) -> Bool { head[start...].starts(with: "PK\u{3}\u{4}".utf8) }
        var names: [String] = []
        var start = 0
        while start + 30 <= head.count, isHeader(start) {
            let (size, nameLength) = (number(start + 18, 4), number(start + 26, 2))
            let data = start + 30 + nameLength + number(start + 28, 2)
            names.append(String(decoding: head[(start + 30)...].prefix(nameLength), as: UTF8.self))
            // With bit 3, the size comes after the data, so the next header has to be searched for.
            let isSizeUnknown = number(start + 6, 2) & 8 != 0 && size == 0
            start = data + size
            while isSizeUnknown, start + 30 <= head.count, !isHeader(start) { start += 1 }
        }
        return names
    }
}
