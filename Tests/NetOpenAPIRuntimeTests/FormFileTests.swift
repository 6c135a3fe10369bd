import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

@Suite struct FormFileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// Returns the `Content-Type` of a file's part if a document allows these types.
    private func type(_ file: FormFile, _ declared: String...) -> String? {
        var form = MultipartForm()
        form.append("f", file, contentTypes: declared)
        return form.parts.first?.contentType
    }

    @Test func theNameSaysTheTypeThenTheBytes() {
        #expect(FormFile(Data("x".utf8), filename: "a.csv").contentType == "text/csv")
        #expect(FormFile(Data(Self.png)).contentType == "image/png")
        #expect(FormFile(Data([0, 1])).contentType == "application/octet-stream")
        #expect(FormFile(path: "/nowhere/a.pdf").contentType == "application/pdf")
        #expect(FormFile(path: "/nowhere/a.pdf", filename: "upload").contentType == "application/pdf")
        #expect(FormFile(path: "/nowhere/a").contentType == "application/octet-stream")
    }

    @Test func theOneTypeOfTheDocumentCountsMore() {
        let file = FormFile(Data(Self.png), filename: "a.png")
        #expect(type(file, "image/svg+xml") == "image/svg+xml")
        #expect(type(FormFile(path: "/nowhere/a.csv"), "text/csv; charset=latin1") == "text/csv; charset=latin1")
        #expect(type(file) == "image/png")
    }

    @Test func ofSeveralTypesTheFileChooses() {
        let declared = ["image/jpeg", "image/png; q=1"]
        func type(_ file: FormFile) -> String? {
            var form = MultipartForm()
            form.append("f", [file], contentTypes: declared)
            return form.parts.first?.contentType
        }
        #expect(type(FormFile(Data("x".utf8), filename: "a.png")) == "image/png; q=1")
        #expect(type(FormFile(Data(Self.png))) == "image/png; q=1")
        #expect(type(FormFile(Data("x".utf8), filename: "a.gif")) == "image/gif")
        // Nothing determines the type: the first one is used.
        #expect(type(FormFile(Data("x".utf8))) == "image/jpeg")
    }

    @Test func aTypeWithAnAsteriskLeavesItToTheFile() {
        #expect(type(FormFile(Data("x".utf8), filename: "a.webp"), "image/*") == "image/webp")
        #expect(type(FormFile(Data("x".utf8)), "image/*") == "application/octet-stream")
        #expect(type(FormFile(Data("x".utf8)), "image/png", "application/octet-stream") == "application/octet-stream")
    }

    @Test func theTypeThatWasChosenCountsMost() {
        var file = FormFile(Data(Self.png), filename: "a.png", contentType: "x/own")
        #expect(type(file, "image/svg+xml") == "x/own")
        #expect(file.contentType == "x/own")
        file.contentType = "x/other"
        #expect(type(file, "image/jpeg", "image/png") == "x/other")
    }

    @Test func aTextPartIsWrittenAsItsLabelSays() throws {
        func body(_ change: (inout MultipartForm) -> Void) throws -> Bytes {
            var form = MultipartForm(boundary: "b")
            change(&form)
            guard case .bytes(let bytes) = try RequestBody.multipart(form).resolved(with: .standard).content else {
                return Bytes()
            }
            return bytes
        }
        let latin = try body { $0.append("t", "é\n", contentType: "text/plain; charset=latin1") }
        #expect(latin.map { $0 }.contains(0xe9))
        #expect(!latin.map { $0 }.contains(0xc3))
        let json = try body { $0.append("t", ["a": "é"], contentType: "application/json; charset=latin1") }
        #expect(String(decoding: json, as: UTF8.self).contains(#"{"a":"\u00e9"}"#))
        for (text, type) in [("€", "text/plain; charset=latin1"), ("x", "text/plain; charset=koi8-r")] {
            let error = #expect(throws: NetError.self) { try body { $0.append("t", text, contentType: type) } }
            #expect(error?.code == .encoding)
        }
    }
}
