import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

// resumable-upload-server PORT FOLDER ORIGIN: stores the uploads it receives on loopback in the existing folder FOLDER.
// ORIGIN is the server's origin from the clients' point of view, such as http://127.0.0.1:8080; the URLs of the uploads
// begin with it. The server keeps the state of unfinished uploads in memory, so a restarted one doesn't know them.

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[1]) else {
    FileHandle.standardError.write(Data("usage: resumable-upload-server PORT FOLDER ORIGIN\n".utf8))
    exit(2)
}
let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
let context = HTTPResumableUploadContext(origin: arguments[3])
let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline()
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(
                HTTPResumableUploadHandler(context: context) { upload in
                    try? upload.pipeline.syncOperations.addHandler(UploadWriter(folder: folder))
                })
        }
    }
    .bind(host: "127.0.0.1", port: port).get()
try await server.closeFuture.get()
