import NetCore

/// A file of cases: parts to bytes, and bytes to parts.
struct CaseFile: Decodable {
    let boundary: String
    let write: [WriteCase]
    let read: [ReadCase]
}

struct Part: Decodable, Equatable {
    let name, value: String
    var filename, type: String?
}

/// Parts and the bytes they must become; `error` if writing them must fail.
struct WriteCase: Decodable {
    let id: String
    let parts: [Part]
    var body: String?
    var error: Bool?

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

/// Bytes and the parts they contain; `error` if they are malformed. Read as `multipart/form-data`.
struct ReadCase: Decodable {
    let id, body: String
    var parts: [Part]?
    var error: Bool?

    func problem(boundary: String) async -> String? {
        let bytes = Bytes(body.utf8)
        let whole = await Outcome([bytes], boundary)
        if error == true {
            if whole.error == nil { return "read \(whole.parts), expected an error" }
        } else if let problem = whole.error {
            return "threw \(problem)"
        } else if whole.parts != parts ?? [] {
            return "read \(whole.parts), expected \(parts ?? [])"
        }
        if await Outcome(bytes.map { [$0] }, boundary) != whole { return "differs byte by byte" }
        for cut in 0...bytes.count {
            if await Outcome([bytes[0..<cut], bytes[cut..<bytes.count]], boundary) != whole {
                return "differs when cut at \(cut)"
            }
        }
        return nil
    }
}

/// The parts parsed from chunks, or the error.
struct Outcome: Equatable {
    var parts: [Part] = []
    var error: String?

    init(_ chunks: [Bytes], _ boundary: String) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
        do throws(NetError) {
            for try await part in try MultipartParts(ResponseBody(stream), boundary: boundary, requiresNames: true) {
                let value = String(decoding: try await part.body.collect(upTo: 1 << 20), as: UTF8.self)
                parts.append(
                    Part(
                        name: part.name ?? "", value: value, filename: part.filename,
                        type: part.mediaType?.description))
            }
        } catch {
            self.error = error.message
        }
    }
}
