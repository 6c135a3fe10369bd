internal import NetCore

extension ResponseBody {
    /// Reads the body, up to a limit, and returns it in one piece. If the body is longer, returns a body that starts
    /// with the bytes read, followed by the rest.
    func collected(upTo limit: Int) async throws(NetError) -> (body: ResponseBody, isWhole: Bool) {
        if whole != nil { return (self, true) }
        var (chunks, count, isWhole) = ([Bytes](), 0, false)
        var iterator = makeAsyncIterator()
        while count <= limit {
            guard let chunk = try await iterator.next() else {
                isWhole = true
                break
            }
            chunks.append(chunk)
            count += chunk.count
        }
        let bytes = chunks.isEmpty ? Bytes() : Bytes.join(chunks, count: count)
        let body =
            isWhole
            ? ResponseBody(bytes, metrics: metrics, trailers: trailers)
            : ResponseBody(source: JoinedBodySource(ResponseBody(bytes), self))
        return (body, isWhole)
    }
}
