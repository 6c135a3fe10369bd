import HTTPTypes
import Testing

@testable import NetCore

@Suite struct SniffingTests {
    private func sniff(_ text: String) -> String? {
        MediaType.sniff(Bytes(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))?.essence
    }

    private static let signatures: [(String, Int, String)] = [
        ("\u{89}PNG\r\n\u{1a}\n", 0, "image/png"), ("\u{ff}\u{d8}\u{ff}", 0, "image/jpeg"), ("GIF87a", 0, "image/gif"),
        ("GIF89a", 0, "image/gif"), ("II*\0", 0, "image/tiff"), ("MM\0*", 0, "image/tiff"),
        ("8BPS", 0, "image/vnd.adobe.photoshop"), ("\0\0\u{1}\0", 0, "image/vnd.microsoft.icon"),
        ("\0\0\0\u{c}JXL \r\n\u{87}\n", 0, "image/jxl"),
        ("%PDF-", 0, "application/pdf"), ("%!PS", 0, "application/postscript"), ("{\\rtf", 0, "text/rtf"),
        ("\u{1f}\u{8b}\u{8}", 0, "application/gzip"), ("\u{fd}7zXZ\0", 0, "application/x-xz"),
        ("7z\u{bc}\u{af}'\u{1c}", 0, "application/x-7z-compressed"), ("(\u{b5}/\u{fd}", 0, "application/zstd"),
        ("Rar!\u{1a}\u{7}", 0, "application/x-rar"), ("ustar", 257, "application/x-tar"),
        ("SQLite format 3\0", 0, "application/vnd.sqlite3"), ("fLaC", 0, "audio/flac"),
        ("MThd\0\0\0\u{6}", 0, "audio/midi"), ("wOFF", 0, "font/woff"), ("wOF2", 0, "font/woff2"),
        ("OTTO\0", 0, "font/otf"), ("\0\u{1}\0\0\0", 0, "font/sfnt"), ("\0asm", 0, "application/wasm"),
        ("\u{7f}ELF", 0, "application/x-executable"), ("FLV\u{1}", 0, "video/x-flv"),
        ("OggS", 0, "application/ogg"), ("PK\u{3}\u{4}", 0, "application/zip"), ("PK\u{5}\u{6}", 0, "application/zip"),
        ("\u{1a}\u{45}\u{df}\u{a3}", 0, "video/x-matroska"),
        ("\u{d0}\u{cf}\u{11}\u{e0}\u{a1}\u{b1}\u{1a}\u{e1}", 0, "application/x-ole-storage"),
        ("ID3\u{2}", 0, "audio/mpeg"), ("ID3\u{4}", 0, "audio/mpeg"),
        ("BZh11AY&SY", 0, "application/x-bzip2"), ("BZh9\u{17}rE8P\u{90}", 0, "application/x-bzip2"),
        ("ftypavif", 4, "image/avif"), ("ftypavis", 4, "image/avif"), ("ftypheic", 4, "image/heic"),
        ("ftypheix", 4, "image/heic"), ("ftypheim", 4, "image/heic"), ("ftypheis", 4, "image/heic"),
        ("ftypmif1", 4, "image/heif"), ("ftypmsf1", 4, "image/heif"), ("ftypM4A ", 4, "audio/mp4"),
        ("ftypM4B ", 4, "audio/mp4"),
        ("ftypqt  ", 4, "video/quicktime"), ("ftyp3gp4", 4, "video/3gpp"), ("ftyp3ge7", 4, "video/3gpp"),
        ("ftypisom", 4, "video/mp4"),
    ]

    @Test(arguments: signatures) func aFileIsKnownByItsBeginning(_ text: String, _ offset: Int, _ type: String) {
        let filler = String(repeating: "x", count: offset)
        #expect(sniff(filler + text) == type)
        #expect(sniff(filler + text + "tail") == type)
        #expect(sniff(filler + text.unicodeScalars.dropLast().map(String.init).joined()) != type)
        #expect(sniff(filler + "x" + text) != type)
    }

    @Test func containersAreToldByWhatIsInThem() {
        for (text, type) in [
            ("RIFF1234WEBP", "image/webp"), ("RIFF1234WAVE", "audio/x-wav"), ("RIFF1234AVI ", "video/x-msvideo"),
            ("RIFF1234AVIx", nil), ("RIFF1234WEB", nil),
            ("OggS" + String(repeating: "x", count: 24) + "OpusHead", "audio/ogg"),
            ("OggS" + String(repeating: "x", count: 24) + "\u{1}vorbis", "audio/ogg"),
            ("OggS" + String(repeating: "x", count: 25) + "theora", "video/ogg"),
            ("OggS" + String(repeating: "x", count: 25) + "OpusHead", "application/ogg"),
            ("\u{1a}\u{45}\u{df}\u{a3}" + String(repeating: "x", count: 56) + "webm", "video/webm"),
            ("\u{1a}\u{45}\u{df}\u{a3}" + String(repeating: "x", count: 57) + "webm", "video/x-matroska"),
            ("ftyp", nil), ("xxxxftypiso", nil), ("BM4567\0\0\0\0ABCDE\0\0\0", "image/bmp"),
            ("BM4567\0\0\0\0ABCDE\0\0", nil), ("BM4567\0\0\0xABCDE\0\0\0", nil), ("BM4567\0\0\0\0ABCDE\0\0x", nil),
            ("BM4567x\0\0\0ABCDE\0\0\0", nil), ("BM4567\0\0\0\0ABCDEx\0\0", nil), ("BZh01AY&SY", nil),
            ("BZh:1AY&SY", nil), ("BZh91AY&S", nil), ("BZx91AY&SY", nil),
            ("ID3\u{1}", nil), ("ID3\u{5}", nil), ("ID3", nil),
        ] as [(String, String?)] {
            #expect(sniff(text) == type, "\(text)")
        }
    }

    @Test func framesOfMPEGHaveASyncAVersionAndALayer() {
        for (bytes, isFrame) in [
            ([0xff, 0xfb, 0x90], true), ([0xff, 0xe3, 0x00], true), ([0xff, 0xf3, 0xe0], true),
            ([0xff, 0xdb, 0x90], false), ([0xff, 0xeb, 0x90], false), ([0xff, 0xf9, 0x90], false),
            ([0xff, 0xfd, 0x90], false), ([0xff, 0xff, 0x90], false), ([0xff, 0xfb, 0xf0], false),
            ([0xfe, 0xfb, 0x90], false), ([0xff, 0xfb], false),
        ] as [([UInt8], Bool)] {
            #expect(MediaType.sniff(Bytes(bytes))?.essence == (isFrame ? "audio/mpeg" : nil), "\(bytes)")
        }
    }

    /// Returns the header of one file of an archive, and its bytes.
    private func entry(_ name: String, _ data: String = "", extra: Int = 0, isSizeUnknown: Bool = false) -> String {
        func number(_ value: Int, _ count: Int) -> String {
            String(
                String.UnicodeScalarView(
                    (0..<count).map { Unicode.Scalar(UInt8(truncatingIfNeeded: value >> (8 * $0))) }))
        }
        return "PK\u{3}\u{4}" + number(20, 2) + number(isSizeUnknown ? 8 : 0, 2) + String(repeating: "\0", count: 10)
            + number(isSizeUnknown ? 0 : data.utf8.count, 4) + number(data.utf8.count, 4) + number(name.utf8.count, 2)
            + number(extra, 2) + name
            + String(repeating: "e", count: extra) + data
    }

    @Test func archivesAreToldByTheirFiles() {
        let office = "application/vnd.openxmlformats-officedocument."
        for (text, type) in [
            (entry("mimetype", "application/epub+zip") + entry("x"), "application/epub+zip"),
            (entry("mimetype", "nonsense"), "application/zip"),
            (entry("mimetyp", "application/epub+zip"), "application/zip"),
            (entry("word/a.xml"), office + "wordprocessingml.document"),
            (entry("xl/a.xml"), office + "spreadsheetml.sheet"),
            (entry("ppt/a.rels"), office + "presentationml.presentation"), (entry("word/a.txt"), "application/zip"),
            (entry("a.xml"), "application/zip"),
            (entry("[Content_Types].xml", "abc", extra: 3) + entry("xl/a.xml"), office + "spreadsheetml.sheet"),
            (entry("a", "abc", isSizeUnknown: true) + entry("ppt/a.xml"), office + "presentationml.presentation"),
            (entry("a", "", isSizeUnknown: true) + entry("xl/a.xml"), office + "spreadsheetml.sheet"),
            (entry("a", "ab") + "c" + entry("xl/a.xml"), "application/zip"),
            (
                entry("a", String(repeating: "x", count: 300)) + entry("word/b.xml"),
                office + "wordprocessingml.document"
            ),
        ] {
            #expect(sniff(text) == type)
        }
    }

    @Test(
        arguments: [
            ("<svg>", "image/svg+xml"), ("<!DOCTYPE svg>", "image/svg+xml"), ("<?xml?><svg", "image/svg+xml"),
            ("<?xml?><a>", "text/xml"), ("<html", "text/html"), ("<HTML>", "text/html"), ("<htmlx>", nil),
            ("<html/>", "text/html"), ("<p x>", "text/html"), ("<p\u{21}", nil), ("<p ", "text/html"),
            (" \n<div>", "text/html"), ("\u{ef}\u{bb}\u{bf}<b>", "text/html"), ("<!-- x --><svg>", "image/svg+xml"),
            ("<!-- x --> x", "text/html"), ("<!-- x", "text/html"), ("<!----><svg>", "image/svg+xml"),
            ("<!-- a --><!-- b --> <svg>", "image/svg+xml"), ("x<svg>", nil), ("", nil), ("plain", nil),
            ("<!-->--><svg>", "image/svg+xml"),
        ] as [(String, String?)])
    func markupIsToldByItsFirstTag(_ text: String, _ type: String?) {
        #expect(sniff(text) == type)
    }
}

@Suite struct CharsetEdgesTests {
    private func decoded(_ bytes: [UInt8], _ charset: Charset) -> String? { charset.decode(Bytes(bytes)) }

    @Test func everyByteHasItsCharacter() {
        for byte in UInt8.min ... .max {
            #expect(decoded([byte], .latin1) == String(Unicode.Scalar(byte)))
            #expect(Charset.latin1.encode(String(Unicode.Scalar(byte))) == [byte])
            #expect(decoded([byte], .ascii) == (byte < 128 ? String(Unicode.Scalar(byte)) : nil))
            let text = decoded([byte], .windows1252)
            #expect(
                (text == String(Unicode.Scalar(byte)))
                    == (byte < 0x80 || byte > 0x9f || [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(byte)), "\(byte)")
            #expect(text.flatMap(Charset.windows1252.encode) == [byte])
        }
        #expect(decoded([0x80, 0x85, 0x9f], .windows1252) == "€…Ÿ")
        #expect(Charset.windows1252.encode("\u{80}") == nil)
        #expect(Charset.windows1252.encode("\u{9f}") == nil)
        #expect(Charset.latin1.encode("\u{100}") == nil)
        #expect(Charset.windows1252.encode("\u{100}") == nil)
        #expect(Charset.ascii.encode("é") == nil)
        #expect(Charset.ascii.encode("~\u{7f}") == [0x7e, 0x7f])
    }

    @Test func wideCharactersHaveAByteOrder() {
        #expect(Charset.utf16.encode("A😀") == [0xfe, 0xff, 0, 0x41, 0xd8, 0x3d, 0xde, 0])
        #expect(Charset.utf16BigEndian.encode("A") == [0, 0x41])
        #expect(Charset.utf16LittleEndian.encode("A€") == [0x41, 0, 0xac, 0x20])
        #expect(Charset.utf32.encode("A") == [0, 0, 0xfe, 0xff, 0, 0, 0, 0x41])
        #expect(Charset.utf32LittleEndian.encode("😀") == [0, 0xf6, 1, 0])
        #expect(Charset.utf32BigEndian.encode("😀") == [0, 1, 0xf6, 0])
        #expect(decoded([0xff, 0xfe, 0x41, 0], .utf16) == "A")
        #expect(decoded([0xfe, 0xff, 0, 0x41], .utf16) == "A")
        #expect(decoded([0, 0x41], .utf16) == "A")
        #expect(decoded([0x41, 0], .utf16LittleEndian) == "A")
        #expect(decoded([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0], .utf32) == "A")
        #expect(decoded([0, 0, 0, 0x41], .utf32) == "A")
        #expect(decoded([0x41, 0, 0, 0], .utf32LittleEndian) == "A")
        #expect(decoded([0, 0, 0xfe, 0xff], .utf32) == "")
        #expect(decoded([0xff, 0xfe, 0x41, 0], .utf16LittleEndian) == "A")
        #expect(decoded([0, 0x41, 0], .utf16) == nil)
        #expect(decoded([0, 0, 0x41], .utf32) == nil)
        #expect(decoded([0xd8, 0], .utf16) == nil)
        #expect(decoded([0, 0, 0xd8, 0], .utf32) == nil)
        #expect(decoded([0, 0x11, 0, 0], .utf32) == nil)
        #expect(decoded([], .utf16) == "")
        #expect(decoded([0xfe, 0xff, 0xfe, 0xff], .utf16) == "\u{feff}")
        #expect(decoded([0xef, 0xbb, 0xbf, 0x41], .utf8) == "A")
        #expect(decoded([0xff], .utf8) == nil)
        #expect(decoded([0xef, 0xbb], .utf8) == nil)
    }

    @Test func textIsWrittenInTheCharsetOfItsType() throws {
        #expect(try Charset.encode("é", contentType: "text/plain; charset=iso-8859-1") == [0xe9])
        #expect(try Charset.encode("é", contentType: nil) == [0xc3, 0xa9])
        #expect(try Charset.encode("é", contentType: "text/plain") == [0xc3, 0xa9])
        #expect(try Charset.encode("é", contentType: "text/plain; charset=utf-8") == [0xc3, 0xa9])
        #expect(try Charset.encode("é", contentType: "a/b; x=y") == [0xc3, 0xa9])
        let lacking = #expect(throws: NetError.self) {
            try Charset.encode("€", contentType: "text/plain; charset=latin1")
        }
        #expect(lacking?.code == .encoding)
        #expect(lacking?.message == "the text has a character that iso-8859-1 lacks; use UTF-8")
        let unknown = #expect(throws: NetError.self) {
            try Charset.encode("€", contentType: "text/plain; charset=koi8-r")
        }
        #expect(unknown?.message.hasPrefix("the charset \"koi8-r\" of the content type is not known") == true)
    }

    @Test func jsonIsWrittenInTheCharsetOfItsType() throws {
        let json = Bytes(#"{"a":"é😀\u0001"}"#.utf8)
        func text(_ type: String?) throws -> String {
            String(decoding: try Charset.encode(json: json, contentType: type), as: UTF8.self)
        }
        #expect(try text(nil) == #"{"a":"é😀\u0001"}"#)
        #expect(try text("application/json; charset=utf-8") == text(nil))
        #expect(try text("application/json") == text(nil))
        for name in ["us-ascii", "iso-8859-1", "windows-1252"] {
            #expect(try text("a/b; charset=\(name)") == #"{"a":"\u00e9\ud83d\ude00\u0001"}"#)
        }
        #expect(try Charset.encode(json: [0x31], contentType: "a/b; charset=us-ascii") == [0x31])
        #expect(try Charset.encode(json: [0x31], contentType: "a/b; charset=utf-16be") == [0, 0x31])
        #expect(
            try Charset.encode(json: Bytes("\u{80}\u{7f}".utf8), contentType: "a/b; charset=ascii")
                == Bytes("\\u0080\u{7f}".utf8))
    }

    @Test(
        arguments: [
            ("text/html; charset=x", "text/html; charset=x"), (" Text/HTML ;charset = \"x\" ", "text/html; charset=x"),
            ("text/html;a=1;A=2", "text/html; a=1"), ("text/html; a=b c", "text/html; a=\"b c\""),
            ("text/html; a", "text/html"), ("text/html; a=", "text/html"), ("text/html; a=\"\"", "text/html; a=\"\""),
            ("text/html; a b=c", "text/html"), ("text/html;;a=1", "text/html; a=1"),
            ("text/html; a=\"b\"c;d=1", "text/html; a=b; d=1"), ("text", nil), ("text/", nil), ("/html", nil),
            ("text/html x", nil), ("text/html, a/b", nil), ("text/html; =1;b=2", "text/html; b=2"),
            ("text/html; a=\u{1};b=2", "text/html; b=2"),
        ] as [(String, String?)])
    func aReceivedTypeIsReadLeniently(_ text: String, _ expected: String?) {
        #expect(MediaType.received(text)?.description == expected)
    }

    @Test func theTypeOfAResponseIsTheLastOne() {
        func head(_ text: String) -> ResponseHead { ResponseHead(status: .ok, headers: [.contentType: text]) }
        #expect(head("a/b; x=\"1,2\"").receivedType?.essence == "a/b")
        #expect(head("text/html; charset='utf-8'").receivedCharset == "utf-8")
        #expect(head("a/b; charset='").receivedCharset == "'")
        #expect(head("a/b; charset=''").receivedCharset == "''")
        #expect(head("a/b; charset='x").receivedCharset == "'x")
        var headers: HTTPFields = [.contentType: "a/b"]
        headers.append(HTTPField(name: .contentType, value: "c/d"))
        headers.append(HTTPField(name: .contentType, value: "nonsense"))
        #expect(ResponseHead(status: .ok, headers: headers).receivedType?.essence == "c/d")
        #expect(ResponseHead(status: .ok).receivedType == nil)
        #expect(ResponseHead(status: .ok).receivedCharset == nil)
        let many = "a/b" + (0..<300).map { ";p\($0)=1" }.joined()
        #expect(MediaType.received(many)?.parameters.count == 256)
    }

    @Test func typesHaveNamesOfFiles() {
        #expect(MediaType.forFile(named: "/a.b/c.PNG")?.essence == "image/png")
        #expect(MediaType.forFile(named: "/a.png/c") == nil)
        #expect(MediaType.forFile(named: ".png") == nil)
        #expect(MediaType.forFile(named: "a.") == nil)
        #expect(MediaType.forFile(named: "") == nil)
        #expect(MediaType.forFile(named: "a.tar.gz")?.essence == "application/gzip")
        #expect(MediaType.forFile(named: "x.none") == nil)
        #expect(MediaType.forFile(named: "a/.b") == nil)
        #expect(MediaType("text", "plain").preferredExtension == "txt")
        #expect(MediaType("a", "b").preferredExtension == nil)
        #expect(MediaType("image", "jpeg").preferredExtension == "jpg")
        #expect(MediaType("a/b;x=1")?.with("X", "2")?.description == "a/b; x=2")
        #expect(MediaType.json.with("a b", "1") == nil)
        #expect(MediaType.json.with("a", "\n") == nil)
        #expect(MediaType.json.with("a", "1")?["A"] == "1")
        #expect(MediaType.json.isJSON)
        #expect(MediaType("text", "json").isJSON)
        #expect(MediaType("a", "b+json").isJSON)
        #expect(!MediaType("a", "json").isJSON)
        #expect(!MediaType("application", "jsonx").isJSON)
    }
}
