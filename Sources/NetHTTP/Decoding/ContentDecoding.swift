internal import HTTPTypes
internal import Logging
internal import NetCompression
internal import NetCore

/// Decodes the content codings of a response, buffered or streamed.
struct ContentDecoding: Sendable {
    /// The maximum number of decoded bytes per received byte; nil for no limit.
    let maximumExpansion: Double?

    /// The maximum number of nested codings; more are an attack.
    private static let maximumCodings = 4

    /// Returns the response with its body decoded, or unchanged if there is nothing to decode.
    ///
    /// The headers stay as they were received, including `Content-Encoding` and the coded length. A partial response (206) is
    /// a part of the coded bytes and can't be decoded.
    func decode(
        _ response: StreamedResponse, to request: PreparedRequest, context: CallContext
    ) throws(NetError) -> StreamedResponse {
        guard response.head.mayHaveContentEncoding, request.options.decodesContent,
            let field = response.head[.contentEncoding], request.head.method != .head,
            response.head.status != .partialContent
        else { return response }
        guard let codings = ContentCoding.list(field) else {
            if let coding = DecodingFailure.contentCoding(of: response.head) {
                context.environment.logger.notice(
                    "the body was left in a content coding that isn't supported here",
                    metadata: ["coding": "\(coding)", "url": "\(context.summary.url)"])
            }
            return response
        }
        guard !codings.isEmpty else { return response }
        guard codings.count <= Self.maximumCodings else {
            response.body.cancel()
            throw context.error(
                .protocolViolation, phase: .receiving,
                message: "the body has \(codings.count) content codings on top of one another; at most "
                    + "\(Self.maximumCodings) are decoded")
        }
        do {
            // The body of a redirect is discarded: an error in it doesn't matter.
            let isRedirect = RedirectDecision.statuses.contains(response.status.code)
            return StreamedResponse(
                head: response.head,
                body: try decode(response.body, codings, context.delivery, isRedirect: isRedirect))
        } catch {
            throw error.belonging(to: context.summary, elapsed: context.elapsed)
        }
    }

    private func decode(
        _ body: ResponseBody, _ codings: [ContentCoding], _ delivery: BodyDelivery, isRedirect: Bool
    ) throws(NetError) -> ResponseBody {
        if let cut = body.cut {
            let kept = codings.reversed().reduce(cut.bytes) { beginning(of: $0, $1) }
            return ResponseBody(keeping: kept, of: cut.total, metrics: body.metrics)
        }
        guard !isRedirect, case .collected(let limit) = delivery, var bytes = body.whole else {
            return codings.reversed().reduce(body) { body, coding in
                ResponseBody(source: DecodedBodySource(body, coding, ExpansionGuard(limit: maximumExpansion)))
            }
        }
        for coding in codings.reversed() { bytes = try decode(bytes, coding, limit: limit) }
        return ResponseBody(bytes, metrics: body.metrics, trailers: body.trailers)
    }

    /// Decodes as much as possible of a body that was cut, at most as many bytes as were kept of it.
    private func beginning(of bytes: Bytes, _ coding: ContentCoding) -> Bytes {
        var decoder = coding.makeDecoder()
        var rest = bytes
        var pieces: [Bytes] = []
        var count = 0
        while count < bytes.count, let piece = try? decoder.piece(of: &rest) {
            pieces.append(piece[0..<min(piece.count, bytes.count - count)])
            count += pieces[pieces.count - 1].count
        }
        return pieces.isEmpty ? Bytes() : Bytes.join(pieces, count: count)
    }

    private func decode(_ bytes: Bytes, _ coding: ContentCoding, limit: Int) throws(NetError) -> Bytes {
        var decoder = coding.makeDecoder()
        var rest = bytes
        var pieces: [Bytes] = []
        var guardian = ExpansionGuard(limit: maximumExpansion)
        guardian.received = Int64(bytes.count)
        do throws(CodingFailure) {
            while let piece = try decoder.piece(of: &rest) {
                guardian.decoded += Int64(piece.count)
                if guardian.decoded > limit || guardian.isExceeded { break }
                pieces.append(piece)
            }
            if guardian.decoded <= limit, !guardian.isExceeded { try decoder.finish() }
        } catch {
            throw error.error(coding)
        }
        if guardian.decoded > limit { throw ResponseBody.tooLarge(limit) }
        if guardian.isExceeded { throw guardian.error }
        return pieces.isEmpty ? Bytes() : Bytes.join(pieces, count: Int(guardian.decoded))
    }
}
