#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore

/// A response as parts of NIO's HTTP/1.1.
struct HTTPServerResponse: Sendable {
    let head: HTTPResponseHead
    let body: Bytes?

    init(_ response: SocketServerResponse, to method: HTTPMethod) {
        var headers = HTTPHeaders(response.headers)
        headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count))
        headers.replaceOrAdd(name: "Connection", value: "close")
        head = HTTPResponseHead(
            version: .http1_1,
            status: .init(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase),
            headers: headers)
        body = method == .HEAD ? nil : response.body
    }

    /// Writes the response, and closes the channel once the kernel has accepted the data.
    func write(to channel: any Channel, closes: Bool) {
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if let body, body.count > 0 {
            let buffer = body.withUnsafeBytes { ByteBuffer(bytes: $0) }
            channel.write(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
            if closes { channel.close(promise: nil) }
        }
    }
}
#endif
