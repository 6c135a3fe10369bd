import Foundation
import NetCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct MediaTypeTests {
    @Test func aFieldValueIsReadIntoItsParts() {
        let type = MediaType("  Text/HTML ;Charset=\"utf-8\"; a=b;; charset=latin1 ")
        #expect(type?.essence == "text/html" && type?["CHARSET"] == "utf-8" && type?["a"] == "b")
        #expect(type?.parameters.count == 2 && type?.description == "text/html; charset=utf-8; a=b")
        #expect(MediaType("a/b; x=\"q\\\"u;o\"")?["x"] == "q\"u;o")
        #expect(MediaType("a/b; x=\"q\\\"u;o\"")?.description == "a/b; x=\"q\\\"u;o\"")
        #expect(MediaType("application/problem+json")?.isJSON == true && MediaType("a/json")?.isJSON == false)
        #expect(MediaType.json.with("a", "b c")?.description == "application/json; a=\"b c\"")
        #expect(MediaType.json.with("a", "b\n") == nil && MediaType.json.with("a b", "c") == nil)
    }

    @Test(
        "What is no media type is none",
        arguments: [
            "", "a", "a/", "/b", "a/b c", "a b/c", "a/b;x", "a/b;x=", "a/b; x=\"y", "a/b, c/d", "a/b\r\n", "a//b",
            "é/x",
            "a/b; x =y",
        ])
    func malformed(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(
        "What a peer sent is read as browsers read it",
        arguments: [
            ("text/event-stream; charset = utf-8", "text/event-stream; charset=utf-8"), ("a/b;x", "a/b"),
            ("A/B ; foo ; X=y;;", "a/b; x=y"),
            ("multipart/mixed; boundary=----=_Part_1", "multipart/mixed; boundary=\"----=_Part_1\""),
            ("m/r; type=text/plain; boundary=a:b ", "m/r; type=\"text/plain\"; boundary=\"a:b\""),
            ("a/b; x=\"y;z\" junk; w=v", "a/b; x=\"y;z\"; w=v"), ("a/b; x=1; X=2", "a/b; x=1"), ("a/b; x=\"y", "a/b"),
            ("a/b; =y; x=; z=\"\"", "a/b; z=\"\""), ("a/b", "a/b"), ("", nil), ("a", nil), ("a/", nil), ("a/b c", nil),
            ("a/b, c/d", nil), ("a/b\r\n", nil), ("a/b; x=y\r\nz", "a/b"),
        ] as [(String, String?)])
    func received(text: String, description: String?) {
        #expect(MediaType.received(text)?.description == description)
    }

    @Test func noTextTraps() {
        for text in Samples.hostile {
            for shape in [text, "a/\(text)", "a/b;\(text)", "a/b;x=\(text)", "a/b;x=\"\(text)"] {
                _ = (MediaType(shape), MediaType.received(shape))
            }
        }
    }

    @Test func anExtensionCountsInAnyCase() {
        #expect(MediaType.forFile(named: "/a.b/Report.PDF")?.essence == "application/pdf")
        #expect(MediaType.forFile(named: "x.tar.gz")?.essence == "application/gzip")
        for (name, type) in [
            ("a.svg", "image/svg+xml"), ("a.webm", "video/webm"), ("a.mkv", "video/x-matroska"),
            ("a.HEIC", "image/heic"),
            ("a.avif", "image/avif"), ("a.opus", "audio/ogg"), ("a.epub", "application/epub+zip"),
            ("a.dmg", "application/x-apple-diskimage"), ("a.jpeg", "image/jpeg"), ("a.jsonl", "application/x-ndjson"),
        ] {
            #expect(MediaType.forFile(named: name)?.essence == type)
        }
        for name in ["", "a", ".gz", "a.", "a.unknown", "a.b/c", "/", "a.txt/"] where name != "a.txt/" {
            #expect(MediaType.forFile(named: name) == nil, "\(name)")
        }
        #expect(MediaType("image/jpeg")?.preferredExtension == "jpg" && MediaType("x/y")?.preferredExtension == nil)
        #expect(MediaType.forFile(named: "a.flv")?.essence == "video/x-flv")
        #expect(MediaType("video/x-flv")?.preferredExtension == "flv")
    }

    /// Files made by Python, so that nobody's bytes are copied.
    private static let maker = """
        import bz2, gzip, io, json, lzma, struct, sys, tarfile, wave, zipfile, zlib, sqlite3, os
        folder = sys.argv[1]
        def put(name, data): open(os.path.join(folder, name), "wb").write(data)
        def zipped(*names, mime=None):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
                if mime: z.writestr("mimetype", mime)
                for n in names: z.writestr(n, "<x/>")
            return out.getvalue()
        def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        put("png", b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\\0\\0")) + chunk(b"IEND", b""))
        put("gif", b"GIF89a\\1\\0\\1\\0\\0\\0\\0,\\0\\0\\0\\0\\1\\0\\1\\0\\0\\2\\1D\\0;")
        put("jpeg", b"\\xff\\xd8\\xff\\xe0\\0\\x10JFIF\\0\\1\\1\\0\\0\\1\\0\\1\\0\\0\\xff\\xd9")
        put("pdf", b"%PDF-1.4\\n%%EOF\\n")
        put("gz", gzip.compress(b"hello")); put("bz2", bz2.compress(b"hello")); put("xz", lzma.compress(b"hello"))
        put("zip", zipped("a.txt"))
        put("odt", zipped("content.xml", mime="application/vnd.oasis.opendocument.text"))
        put("epub", zipped("a.xml", mime="application/epub+zip"))
        put("docx", zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"))
        out = io.BytesIO(); w = wave.open(out, "wb"); w.setnchannels(1); w.setsampwidth(1); w.setframerate(8000)
        w.writeframes(b"\\0" * 10); w.close(); put("wav", out.getvalue())
        out = io.BytesIO(); t = tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT)
        i = tarfile.TarInfo("a"); i.size = 1; t.addfile(i, io.BytesIO(b"x")); t.close(); put("tar", out.getvalue())
        db = sqlite3.connect(os.path.join(folder, "sqlite")); db.execute("create table t(x)"); db.commit(); db.close()
        put("bmp", b"BM" + struct.pack("<IHHI", 58, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + b"\\0" * 4)
        put("webp", b"RIFF" + struct.pack("<I", 26) + b"WEBPVP8L" + struct.pack("<I", 13) + b"\\x2f" + b"\\0" * 12)
        put("mp4", struct.pack(">I", 24) + b"ftypisom" + struct.pack(">I", 512) + b"isommp41")
        put("svg", b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
        put("html", b"<!DOCTYPE html><html><title>x</title></html>")
        put("txt", b"BM and ID are letters, RIFFraff too")
        """

    @Test func fileAndThisAgreeAboutBytes() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.run(["python3", "-c", Self.maker, folder.path])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count == 20)
        let output = try await Tool.run(
            ["file", "--brief", "--mime-type"] + names.map { "\(folder.path)/\($0)" })
        let told = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        for (name, expected) in zip(names, told) {
            let type = try await MediaType.ofFile("\(folder.path)/\(name)")
            #expect(type?.essence ?? "text/plain" == expected, "\(name)")
        }
    }

    @Test(
        "An archive is an office document by the names of its files, not by its bytes",
        arguments: [
            (["[Content_Types].xml", "_rels/.rels", "word/document.xml"], "wordprocessingml.document"),
            (["_rels/.rels", "xl/workbook.xml"], "spreadsheetml.sheet"),
            (["docProps/app.xml", "ppt/presentation.xml"], "presentationml.presentation"),
            (["password/list.txt"], nil), (["keyword/x.xml"], nil), (["word/list.txt"], nil),
            (["notes about word/document.xml"], nil),
        ])
    func archives(names: [String], office: String?) {
        let expected = office.map { "application/vnd.openxmlformats-officedocument.\($0)" } ?? "application/zip"
        for isStreamed in [false, true] {
            let archive = names.flatMap { Self.localFile($0, data: "see word/document.xml", isStreamed: isStreamed) }
            #expect(MediaType.sniff(Bytes(archive))?.essence == expected, "\(names)")
        }
        // What an archive within the archive holds is not what the archive is.
        let inner = names.flatMap { Self.localFile($0, data: "<x/>") }
        let outer = Self.localFile("report.docx", data: String(decoding: inner, as: UTF8.self))
        #expect(MediaType.sniff(Bytes(outer))?.essence == "application/zip")
    }

    /// A stored file with its header; where it is streamed its size is told after it alone.
    private static func localFile(_ name: String, data: String, isStreamed: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let size = number(isStreamed ? 0 : data.utf8.count, 4)
        let start = Array("PK\u{3}\u{4}".utf8) + number(20, 2) + number(isStreamed ? 8 : 0, 2) + number(0, 10)
        return start + size + size + number(name.utf8.count, 2) + number(0, 2) + Array(name.utf8) + Array(data.utf8)
    }

    @Test(
        "Markup is told by its first tag, in any case and behind comments",
        arguments: [
            ("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">\n<svg>", "image/svg+xml"),
            ("<!-- made by hand --><svg xmlns=\"x\"/>", "image/svg+xml"), ("<SVG>", "image/svg+xml"),
            ("<!-- c --><!DOCTYPE html>", "text/html"), ("<!-- c -->\n<!-- d -->\n<p>", "text/html"),
            ("<!-- without an end", "text/html"), ("<!---->", "text/html"),
            (" \n<HEAD>", "text/html"), ("<HEAD", "text/html"), ("<Script src=x>", "text/html"),
            ("<a href=x>", "text/html"), ("<BR/>", "text/html"), ("\u{feff}<h1>", "text/html"),
            ("<atom>", nil), ("<header>", nil), ("<", nil), ("<!doctype htmlx>", nil),
            ("<?xml version=\"1.0\"?><a>", "text/xml"), ("<!-- c --><?xml version=\"1.0\"?><svg>", "image/svg+xml"),
        ])
    func markup(text: String, type: String?) {
        #expect(MediaType.sniff(Bytes(text.utf8))?.essence == type, "\(text)")
    }

    @Test func bytesThatSayNothingHaveNoType() {
        for text in ["", "x", "hello", "{}", "BM", "ID", "PK", "GIF8", "\u{89}PNG"] {
            #expect(MediaType.sniff(Bytes(text.utf8)) == nil, "\(text)")
        }
        for text in ["BZhello", "BZh9, said he", "ID3,Name\n1,a", "MThd is a mark"] {
            #expect(MediaType.sniff(Bytes(text.utf8)) == nil, "\(text)")
        }
        #expect(MediaType.sniff(Bytes("BZh91AY&SY".utf8))?.essence == "application/x-bzip2")
        #expect(
            MediaType.sniff(Bytes(Array("BZh9".utf8) + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))?.essence
                == "application/x-bzip2")
        #expect(MediaType.sniff(Bytes("MThd\0\0\0\u{6}".utf8))?.essence == "audio/midi")
        #expect(MediaType.sniff(Bytes("ID3\u{4}".utf8))?.essence == "audio/mpeg")
        #expect(MediaType.sniff(Bytes([0xff, 0xfb, 0x90, 0x64]))?.essence == "audio/mpeg")
        #expect(MediaType.sniff(Bytes("\0\0\0\u{18}ftypheic".utf8))?.essence == "image/heic")
        #expect(MediaType.sniff(Bytes("\0\0\0\u{18}ftypavif".utf8))?.essence == "image/avif")
        #expect(
            MediaType.sniff(Bytes([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82] + Array("webm".utf8)))?.essence == "video/webm")
        #expect(MediaType.sniff(Bytes([0x1a, 0x45, 0xdf, 0xa3]))?.essence == "video/x-matroska")
    }

    @Test func aFileThatCannotBeReadIsAnError() async {
        let error = await #expect(throws: NetError.self) { try await MediaType.ofFile("/absent/file.png") }
        #expect(error?.code == .encoding)
    }

    @Test(.timeLimit(.minutes(1))) func noNumberOfParametersTakesLong() {
        // Minutes, were each compared with all before it.
        let text = "a/b" + (0..<60_000).map { ";p\($0)=\($0)" }.joined()
        for type in [MediaType(text), MediaType.received(text)] {
            #expect(type?.essence == "a/b" && type?["p0"] == "0" && type?["p255"] == "255")
            #expect(type?.parameters.count == 256)
        }
    }
}
