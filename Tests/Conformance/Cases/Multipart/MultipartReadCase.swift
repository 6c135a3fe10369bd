import NetCore

/// Bytes and the parts they contain; `error` if they are malformed. Read as `multipart/form-data`.
struct MultipartReadCase: Decodable {
    let id, body: String
    var parts: [MultipartPart]?
    var error: Bool?

    /// Returns the problem; nil if everything is as expected.
    func problem(boundary: String) async -> String? {
        let bytes = Bytes(body.utf8)
        let whole = await MultipartOutcome([bytes], boundary)
        if error == true {
            if whole.error == nil { return "read \(whole.parts), expected an error" }
        } else if let problem = whole.error {
            return "threw \(problem)"
        } else if whole.parts != parts ?? [] {
            return "read \(whole.parts), expected \(parts ?? [])"
        }
        if await MultipartOutcome(bytes.map { [$0] }, boundary) != whole { return "differs byte by byte" }
        for cut in 0...bytes.count {
            if await MultipartOutcome([bytes[0..<cut], bytes[cut..<bytes.count]], boundary) != whole {
                return "differs when cut at \(cut)"
            }
        }
        return nil
    }
}
