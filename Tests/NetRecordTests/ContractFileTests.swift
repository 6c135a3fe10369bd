import Foundation
import NetCore
import NetRecord
import Testing

/// The file of a contract.
@Suite struct RecordFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ file: RecordFile) -> RecordFileError? {
        do throws(RecordFileError) {
            _ = try file.read(advice: "mend it")
            return nil
        } catch {
            return error
        }
    }

    @Test func aDocumentIsReadWithItsPlacesAndEveryDigit() throws {
        let path = try folder.write("\u{feff}{\"a\":\n [9007199254740993, 0.1000000000000000000001]}", to: "a.json")
        let document = try RecordFile(path).read(advice: "")
        #expect(document.node["a"]?.position.line == 2)
        #expect(document.value["a"]?[0] == .integer(9_007_199_254_740_993))
        #expect(RecordFile.text(document.value).contains("0.1000000000000000000001"))
    }

    @Test func invalidJSONIsReportedWithItsPosition() throws {
        #expect(failure(RecordFile(folder.file("none.json")))?.problem == "there is no such file")
        let cut = failure(RecordFile(try folder.write("{\"a\": [1,\n", to: "cut.json")))
        #expect(cut?.position?.line == 2)
        #expect(cut?.place == "a[1]")
        #expect(cut?.advice == "mend it")
        // A number that only a lenient parser accepts.
        let zero = failure(RecordFile(try folder.write("{\"a\": 01}", to: "zero.json")))
        #expect(zero?.problem.contains("a valid JSON") == true)
    }

    @Test func aFileIsWrittenWithItsFolder() throws {
        let file = RecordFile(folder.file("new/folder/a.json"))
        #expect(!file.exists)
        try file.write(RecordFile.text(["b": 1, "a": ["x"]]))
        #expect(try folder.text("new/folder/a.json") == "{\n  \"a\": [\n    \"x\"\n  ],\n  \"b\": 1\n}\n")
        #expect(throws: RecordFileError.self) { try RecordFile(folder.file("new/folder/a.json/b")).write("") }
    }
}
