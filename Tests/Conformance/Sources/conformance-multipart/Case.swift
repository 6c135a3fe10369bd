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

/// Parts, and the bytes they must become; `error` where they must not.
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

/// Bytes, and the parts they hold; `error` where they are malformed. Read as `multipart/form-data`.
struct ReadCase: Decodable {
    let id, body: String
    var parts: [Part]?
    var error: Bool?

    func problem(boundary: String) -> String? {
        let bytes = Bytes(body.utf8)
        let whole = Outcome([bytes], boundary)
        if error == true {
            if whole.error == nil { return "read \(whole.parts), expected an error" }
        } else if let problem = whole.error {
            return "threw \(problem)"
        } else if whole.parts != parts ?? [] {
            return "read \(whole.parts), expected \(parts ?? [])"
        }
        if Outcome(bytes.map { Bytes(CollectionOfOne($0)) }, boundary) != whole { return "differs byte by byte" }
        for cut in 0...bytes.count where Outcome([bytes[0..<cut], bytes[cut..<bytes.count]], boundary) != whole {
            return "differs when cut at \(cut)"
        }
        return nil
    }
}

/// What the parser made of some chunks.
struct Outcome: Equatable {
    var parts: [Part] = []
    var error: String?

    init(_ chunks: [Bytes], _ boundary: String) {
        var body: [UInt8] = []
        var head = HTTPFields()
        do throws(NetError) {
            var parser = try MultipartParser(boundary: boundary, requiresNames: true)
            for chunk in chunks {
                var input = chunk
                while let event = try parser.next(from: &input) {
                    switch event {
                    case .part(let headers): (head, body) = (headers, [])
                    case .body(let bytes): body += bytes
                    case .partEnd:
                        let value = String(decoding: body, as: UTF8.self)
                        parts.append(
                            Part(
                                name: head.disposition?.name ?? "", value: value,
                                filename: head.disposition?.filename, type: head.mediaType?.description))
                    }
                }
            }
            try parser.finish()
        } catch {
            self.error = error.description
        }
    }
}
