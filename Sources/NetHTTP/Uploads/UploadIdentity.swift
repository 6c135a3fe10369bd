internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The part of a journal that is specific to uploads: the file, the protocol, and the upload on the server.
package struct UploadIdentity: Sendable, Hashable, Codable {
    /// The path of the file.
    package var file: String
    /// The name sent to the server.
    package var name: String
    /// The media type sent to the server.
    package var type: String
    package var method: String
    package var uploadProtocol: UploadProtocol
    package var metadata: [String: String]
    package var requestBytes: Int64?
    package var sendsDigest: Bool
    /// The file's fingerprint when the upload began; nil before.
    var fingerprint: UploadFingerprint?
    /// The upload on the server; nil if it hasn't begun.
    var resource: UploadResource?

    /// Creates the persistent part of a request.
    init(_ request: UploadRequest) {
        // Stored as an absolute path, since another process may have a different working directory.
        file =
            request.file.hasPrefix("/") ? request.file : "\(FileManager.default.currentDirectoryPath)/\(request.file)"
        name = request.name ?? request.file.split(separator: "/").last.map(String.init) ?? request.file
        type = request.type?.description ?? (MediaType.forFile(named: request.file) ?? .octetStream).description
        method = request.method.rawValue
        uploadProtocol = request.uploadProtocol
        metadata = request.metadata
        requestBytes = request.requestBytes
        sendsDigest = request.sendsDigest
    }
}

extension UploadIdentity: CustomStringConvertible, CustomReflectable {
    /// The name and the protocol, without the metadata, which may contain secrets.
    package var description: String { "\(name) by \(uploadProtocol.rawValue)" }
    package var customMirror: Mirror { Mirror(self, children: ["upload": description]) }
}
