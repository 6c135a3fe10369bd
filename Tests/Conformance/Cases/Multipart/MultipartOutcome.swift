import NetCore

/// The parts parsed from chunks, or the error.
struct MultipartOutcome: Equatable {
    var parts: [MultipartPart] = []
    var error: String?

    init(_ chunks: [Bytes], _ boundary: String) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
        do throws(NetError) {
            for try await part in try MultipartParts(ResponseBody(stream), boundary: boundary, requiresNames: true) {
                let value = String(decoding: try await part.body.collect(upTo: 1 << 20), as: UTF8.self)
                parts.append(
                    MultipartPart(
                        name: part.name ?? "", value: value, filename: part.filename,
                        type: part.mediaType?.description))
            }
        } catch {
            self.error = error.message
        }
    }
}
