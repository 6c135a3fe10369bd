import NetCore

/// Parts and the bytes they must become; `error` if writing them must fail.
struct MultipartWriteCase: Decodable {
    let id: String
    let parts: [MultipartPart]
    var body: String?
    var error: Bool?

    /// Returns the problem; nil if everything is as expected.
    func problem(boundary: String) -> String? {
        let parts = parts.map { part -> FormPart in
            guard let filename = part.filename else { return .text(part.name, part.value, contentType: part.type) }
            return .data(part.name, Bytes(part.value.utf8), filename: filename, contentType: part.type)
        }
        let resolved: RequestBody.Resolved
        do {
            resolved = try RequestBody.multipart(parts, boundary: boundary).resolved(with: .standard)
        } catch {
            return self.error == true ? nil : "threw \(error)"
        }
        if error == true { return "was written, expected an error" }
        guard case .bytes(let bytes) = resolved.content else { return "is no body in memory" }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual((body ?? "").utf8) ? nil : "wrote \(text.debugDescription)"
    }
}
