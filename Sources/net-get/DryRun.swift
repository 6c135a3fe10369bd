#if Tools
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP

/// Queries the servers for the files that would be loaded, without loading them.
struct DryRun {
    let client: HTTPClient
    let isJSON: Bool

    /// A line of `--json`.
    private struct Answer: Encodable {
        let event = "found"
        var url: String
        var name, contentType, code, message: String?
        var total: Int64?
        var status: Int?
        /// True if an interrupted download can be resumed: the server supports ranges and sends a validator.
        var isResumable: Bool?
    }

    /// Queries the files one by one; returns true if any query failed.
    func run(_ requests: [DownloadRequest]) async -> Bool {
        var hasFailed = false
        for request in requests {
            let answer = await ask(request)
            if answer.code != nil { hasFailed = true }
            write(answer)
        }
        return hasFailed
    }

    private func ask(_ request: DownloadRequest) async -> Answer {
        var answer = Answer(url: Printed.url(request.url))
        var head = Request<Void>(url: request.url)
        head.method = .head
        head.headers = request.headers
        head.headers[.acceptEncoding] = "identity"
        do throws(APIError<Never>) {
            let response = try await response(to: head)
            answer.status = Int(response.status.code)
            answer.contentType = response[.contentType]
            let range = response[.contentRange].flatMap { $0.split(separator: "/").last }.map { String($0) }
            answer.total = (response.status == .partialContent ? range : response[.contentLength]).flatMap { Int64($0) }
            answer.isResumable =
                (response.status == .partialContent || response[.acceptRanges]?.lowercased() == "bytes")
                && (response[.eTag]?.hasPrefix("\"") ?? false || response[.lastModified] != nil)
            answer.name = DownloadName.choose(
                requested: request.fileName,
                disposition: response.fileName.map { ContentDisposition(kind: "attachment", filename: $0) },
                url: request.url, id: UUID(),
                contentType: response[.contentType].flatMap { MediaType($0) })
        } catch {
            (answer.code, answer.message, answer.status) = (
                error.netError?.code.rawValue ?? "rejected", "\(error)", error.status
            )
        }
        return answer
    }

    /// Returns the head of the response to HEAD, or if the server refuses that, to a GET of the first byte. Many signed
    /// links allow only GET.
    private func response(to head: Request<Void>) async throws(APIError<Never>) -> ResponseHead {
        do throws(APIError<Never>) {
            return try await client.response(head).head
        } catch {
            guard error.status != nil || error.netError?.code == .connectionLost else { throw error }
            var first = Request<Bytes>("", headers: head.headers, options: head.options, serializer: .bytes)
            first.headers[.range] = "bytes=0-0"
            first.options.validation = .any
            guard let request = try? client.prepare(first), let response = try? await client.stream(prepared: request)
            else { throw error }
            response.body.cancel()
            guard response.status.kind == .successful else { throw error }
            return response.head
        }
    }

    private func write(_ answer: Answer) {
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let data = try? encoder.encode(answer) {
                StandardOutput.write(String(decoding: data, as: UTF8.self) + "\n")
            }
        } else if let message = answer.message {
            StandardOutput.write("fails      \(answer.url): \(TerminalText.clean(message))\n")
        } else {
            let size = answer.total.map(TerminalText.bytes) ?? "unknown size"
            let rest = answer.isResumable == true ? "resumable" : "from the start after an interruption"
            StandardOutput.write("would load \(TerminalText.clean(answer.name ?? answer.url))  \(size), \(rest)\n")
        }
    }
}
#endif
