import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

@Suite struct BodyEncodingTests {
    private struct Form: Codable, Sendable {
        var name: String?
        var tags: [String]?
        var meta: [String: Int]?
        var when: Date?
    }

    private func text(_ body: RequestBody) throws -> (type: String, text: String) {
        let resolved = try body.resolved(with: .standard)
        guard case .bytes(let bytes) = resolved.content else { return ("", "") }
        return (resolved.contentType ?? "", String(decoding: bytes, as: UTF8.self))
    }

    @Test func aFormHasAFieldForEachMember() throws {
        let form = Form(name: "a b&c", tags: ["x", "y"], meta: ["k": 1], when: Date(timeIntervalSince1970: 0))
        let body = try text(.form(form))
        #expect(body.type == "application/x-www-form-urlencoded")
        #expect(body.text == "name=a+b%26c&tags=x&tags=y&meta%5Bk%5D=1&when=1970-01-01T00%3A00%3A00Z")
        #expect(try text(.form(Form(name: "a"))).text == "name=a")
        let joined = try text(.form(Form(tags: ["x,1", "y"]), encoding: ["tags": FormEncoding(explode: false)]))
        #expect(joined.text == "tags=x%2C1%2Cy")
    }

    @Test func aFormThatIsNoObjectIsAnError() {
        #expect(throws: NetError.self) { try text(.form([1, 2])) }
    }

    @Test func aMultipartFormHoldsItsParts() throws {
        var form = MultipartForm()
        form.append("name", "Ada")
        form.append("none", nil as String?)
        form.append("tags", ["x", "y"])
        form.append("meta", ["k": 1])
        form.append("file", FormFile(Data("--net".utf8), filename: "a\"b\r\n.txt", contentType: "text/plain"))
        let body = try text(.multipart(form))
        let boundary = try #require(body.type.split(separator: "boundary=").last)
        let parts = body.text.components(separatedBy: "--\(boundary)")
        try #require(parts.count == 7)
        #expect(parts[1] == "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n")
        #expect(parts[4].contains("Content-Type: application/json\r\n\r\n{\"k\":1}"))
        #expect(parts[5].contains("filename=\"a%22b%0D%0A.txt\"\r\nContent-Type: text/plain"))
        #expect(parts[6] == "--\r\n")
    }

    @Test func anObjectWhosePartIsAFormIsWrittenAsOne() throws {
        var form = MultipartForm()
        form.append("range", ["max": 2, "min": 1], contentType: "application/x-www-form-urlencoded")
        let body = try text(.multipart(form)).text
        #expect(body.contains("Content-Type: application/x-www-form-urlencoded\r\n\r\nmax=2&min=1\r\n"))
    }

    @Test func aFileOnDiskIsReadWhileItGoesOut() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv").path
        try Data("a,b\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = FormFile(path: path)
        #expect(file.contentType == "text/csv")
        #expect(path.hasSuffix("/" + file.filename))
        var form = MultipartForm()
        form.append("table", [file, FormFile(path: path, filename: "t.bin", contentType: "x/y")])
        let resolved = try RequestBody.multipart(form).resolved(with: .standard)
        guard case .stream(let length, let isReplayable, let make) = resolved.content else {
            Issue.record("the body is in memory")
            return
        }
        let source = try make()
        var bytes: [UInt8] = []
        while let chunk = try await source.next() { bytes += chunk }
        #expect(length == Int64(bytes.count))
        #expect(isReplayable)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("filename=\"\(file.filename)\"\r\nContent-Type: text/csv\r\n\r\na,b\n\r\n"))
        #expect(text.contains("filename=\"t.bin\"\r\nContent-Type: x/y"))
    }

    @Test func aFileThatIsNotThereIsAnErrorWhenPreparing() {
        var form = MultipartForm()
        form.append("table", FormFile(path: "/nowhere/at/all"))
        #expect { try text(.multipart(form)) } throws: { ($0 as? NetError)?.code == .encoding }
    }

    @Test func theBoundaryOccursInNoPart() throws {
        var form = MultipartForm()
        form.append("a", FormFile(Data("x".utf8)))
        let first = try text(.multipart(form)).type.components(separatedBy: "boundary=")[1]
        var other = MultipartForm()
        other.append("a", FormFile(Data("--\(first)".utf8)))
        let body = try text(.multipart(other))
        #expect(body.text.components(separatedBy: "--\(body.type.components(separatedBy: "boundary=")[1])").count == 3)
    }

    @Test func aPartsContentTypeCannotAddFields() {
        var form = MultipartForm()
        form.append("a", FormFile(Data(), contentType: "text/plain\r\nX: y"))
        #expect(throws: NetError.self) { try text(.multipart(form)) }
    }

    @Test func aFieldThatCannotHoldItsValueIsAnErrorWhenPreparing() throws {
        var headers = ParameterFields(accept: "application/json")
        headers.append("X-A", "fine")
        #expect(headers.headers.count == 2)
        #expect(throws: Never.self) { try headers.checked(.none).resolved(with: .standard) }
        headers.append("X-B", "line\r\nInjected: yes")
        #expect(headers.headers.count == 2)
        #expect { try headers.checked(.none).resolved(with: .standard) } throws: { error in
            (error as? NetError)?.code == .invalidRequest && "\(error)".contains("X-B")
        }
    }

    @Test func cookiesShareOneField() {
        var headers = ParameterFields()
        headers.appendCookie("a", "x; y")
        headers.appendCookie("b", [1, 2])
        #expect(headers.headers.map(\.value) == ["a=x%3B%20y; b=1; b=2"])
    }
}
