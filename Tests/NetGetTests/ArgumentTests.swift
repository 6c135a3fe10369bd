#if Tools
import NetCore
import NetHTTP
import Testing

@testable import net_get

struct ArgumentTests {
    @Test(arguments: [
        ("500000", 500_000), ("500k", 500_000), ("2M", 2_000_000), ("1.5 MiB", 1_572_864), ("3MB/s", 3_000_000),
        ("1GiB/s", 1 << 30), ("7b", 7), ("1", 1), ("0", 0),
    ])
    func numbersOfBytesAreReadAsPeopleWriteThem(_ text: String, _ bytes: Int) {
        #expect(ByteCount(argument: text)?.bytes == Int64(bytes))
    }

    @Test(arguments: ["", "-5", "x", "5x", "1e300M", "..", "M"])
    func otherNumbersAreRefused(_ text: String) {
        #expect(ByteCount(argument: text) == nil)
    }

    private static let digest = String(repeating: "ab", count: 32)

    @Test func anInputFileHasAURLALine() throws {
        let sources = try Source.list(
            of: """
                # films
                http://a/1 name=one.mp4 priority=high

                http://a/2\tname=two films.mp4\tmirror=http://b/2\tmirror=http://c/2\tsha-256=\(Self.digest)
                http://a/3 checksum=\(Self.digest)\r
                """)
        try #require(sources.map(\.url) == ["http://a/1", "http://a/2", "http://a/3"])
        #expect(sources[0].name == "one.mp4")
        #expect(sources[0].priority == .high)
        #expect(sources[1].name == "two films.mp4")
        #expect(sources[1].mirrors == ["http://b/2", "http://c/2"])
        #expect(sources[1].checksum == .sha256(Self.digest))
        #expect(sources[2].checksum == .sha256(Self.digest))
        #expect(sources[2].priority == .normal)
        #expect(sources[2].name == nil)
    }

    @Test(arguments: [
        ("http://a/1 out=x", "line 1: \"out=\" isn't name=, mirror=, checksum= or priority="),
        ("\nhttp://a/1 fast", "line 2: \"fast\" isn't name=, mirror=, checksum= or priority="),
        ("http://a/1 priority=huge", "line 1: \"huge\" isn't low, normal, high or critical"),
        ("http://a/1 sha-256=12", "line 1: \"sha-256=12\" isn't a checksum such as sha-256=2cf24dba…"),
    ])
    func mistakesNameTheirLine(_ text: String, _ message: String) {
        let error = #expect(throws: Source.Mistake.self) { try Source.list(of: text) }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [
            (nil, 1, ".", nil), ("out.iso", 1, ".", "out.iso"), ("films/", 1, "films", nil), ("//", 1, "/", nil),
            ("films", 1, "films", nil),
            ("a/b/out.iso", 1, "a/b", "out.iso"), ("/out.iso", 1, "/", "out.iso"), ("out", 3, "out", nil),
            ("", 1, ".", nil),
        ] as [(String?, Int, String, String?)])
    func outputIsAFolderOrAFile(_ output: String?, _ count: Int, _ folder: String, _ name: String?) {
        let destination = Destination(output: output, fileCount: count) { $0 == "films" }
        #expect(destination == Destination(folder: folder, name: name))
    }
}
#endif
