import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Writes the body of one upload to a file as the bytes arrive. The file's name ends with `.part` until the upload is
/// complete; a JSON file beside it contains the headers that describe the upload.
final class UploadWriter: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let file: URL
    private var output: FileHandle?

    init(folder: URL) {
        file = folder.appendingPathComponent(UUID().uuidString.lowercased())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            guard request.method == .post || request.method == .put else {
                return respond(.notImplemented, context: context)
            }
            do { try open(request) } catch { respond(.internalServerError, context: context) }
        case .body(let buffer):
            do { try output?.write(contentsOf: Data(buffer.readableBytesView)) } catch {
                output = nil
                respond(.internalServerError, context: context)
            }
        case .end:
            guard let output else { return }
            self.output = nil
            do {
                try output.close()
                try FileManager.default.moveItem(at: file.appendingPathExtension("part"), to: file)
                respond(.created, context: context)
            } catch { respond(.internalServerError, context: context) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        try? output?.close()
        output = nil
    }

    private func open(_ request: HTTPRequest) throws {
        let description = [
            "disposition": request.headerFields[.contentDisposition], "type": request.headerFields[.contentType],
        ]
        try JSONEncoder().encode(description.compactMapValues { $0 }).write(to: file.appendingPathExtension("json"))
        let part = file.appendingPathExtension("part")
        try Data().write(to: part)
        output = try FileHandle(forWritingTo: part)
    }

    private func respond(_ status: HTTPResponse.Status, context: ChannelHandlerContext) {
        let response = HTTPResponse(status: status, headerFields: [.contentLength: "0"])
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
